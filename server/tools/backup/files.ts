import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PassThrough, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export type Hashed = { readonly bytes: number; readonly sha256: string }

/**
 * Writes what `fill` puts into its stream to a new file, on disk when it answers. `at` gets the bytes so far. Throws what
 * the file reports where it cannot be written: the stream closes, and `fill` is to give up then.
 */
export async function writeHashed<T>(
  path: string,
  fill: (sink: Writable) => Promise<T>,
  at: (bytes: number) => void = () => undefined,
): Promise<Hashed & { result: T }> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  let bytes = 0
  const sink = new PassThrough({ highWaterMark: 1024 * 1024 })
  sink.on('data', (chunk: Buffer) => {
    hash.update(chunk)
    bytes += chunk.length
    at(bytes)
  })
  const writing = pipeline(sink, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  writing.catch(() => undefined)
  const result = await fill(sink).catch(async (error: Error) => {
    sink.destroy(error)
    await writing
    throw error
  })
  sink.end()
  await writing
  await flush(path)
  return { bytes, sha256: hash.digest('hex'), result }
}

/** A copy of a file with its hash; null when the file is not there. */
export async function copyHashed(from: string, to: string): Promise<Hashed | null> {
  try {
    return await writeHashed(to, (sink) => pipeline(createReadStream(from), sink, { end: false }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

export async function hashFile(path: string): Promise<Hashed> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Waits until a file, or a folder's list of names, is on disk. */
export async function flush(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
