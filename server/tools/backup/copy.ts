import type { Writable } from 'node:stream'
import type pg from 'pg'
import { copyOut } from '../../../eventstore/postgres-copy.ts'

/**
 * Runs `copy … to stdout` into `sink`, no faster than it takes; answers the number of rows. A sink that closes before
 * rejects it at once, and the connection is of no more use.
 */
export function copyToSink(client: pg.ClientBase, text: string, sink: Writable): Promise<number> {
  let drained: Promise<void> | undefined
  const take = (chunk: Buffer) => {
    // The driver's buffer is used again.
    if (sink.write(Buffer.from(chunk))) return undefined
    drained ??= new Promise((resolve) => {
      sink.once('drain', () => {
        drained = undefined
        resolve()
      })
    })
    return drained
  }
  return new Promise((resolve, reject) => {
    sink.once('close', () => reject(new Error('The copy was cut off.')))
    copyOut(client, text, take).then(resolve, reject)
  })
}
