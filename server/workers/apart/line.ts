import type { TLSSocket } from 'node:tls'
import type { Port } from '../channel.ts'

/** More than any message is: who sends or leaves unread as much is not one of ours, or is frozen. */
const MOST_BYTES = 8 * 1024 * 1024
const NEWLINE = 10

/** Messages over a connection, a line each. */
export function portOver(socket: TLSSocket): Port {
  return {
    send(message) {
      socket.write(`${JSON.stringify(message)}\n`)
      if (socket.writableLength > MOST_BYTES) socket.destroy()
    },
    listen(heard) {
      const take = createLines((line) => heard(JSON.parse(line)))
      socket.on('data', (bytes: Buffer) => {
        try {
          take(bytes)
        } catch {
          socket.destroy()
        }
      })
    },
  }
}

/** Throws for a line that is too long. */
export function createLines(line: (text: string) => void, mostBytes = MOST_BYTES): (bytes: Buffer) => void {
  let begun: Buffer[] = []
  let size = 0
  return (bytes) => {
    let rest = bytes
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      const text = Buffer.concat([...begun, rest.subarray(0, end)]).toString()
      begun = []
      size = 0
      rest = rest.subarray(end + 1)
      line(text)
    }
    if (rest.length === 0) return
    size += rest.length
    if (size > mostBytes) throw new Error('A line is too long.')
    begun.push(rest)
  }
}
