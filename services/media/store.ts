import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { ID_PATTERN } from '../../domain/shared/id-pattern.ts'

/** Where the bytes are; names are ids, never what a member called a file. */
export type MediaStore = {
  /** Whole or not at all; on disk when it answers. */
  write(id: string, bytes: Uint8Array): Promise<void>
  read(id: string): Promise<Buffer>
  /** `end` is the last byte, counted in. */
  stream(id: string, range?: { start: number; end: number }): ReadableStream<Uint8Array>
  /** Quiet when it is gone already. */
  remove(id: string): Promise<void>
  /** Ids of files last written before `before`. */
  olderThan(before: Date): AsyncIterable<string>
}

/** Files below `folder`, two levels deep by the start of their id. */
export function createFileStore(folder: string): MediaStore {
  const drafts = join(folder, 'drafts')
  const pathOf = (id: string) => {
    if (!ID_PATTERN.test(id)) throw new Error('Not a media id.')
    return join(folder, id.slice(0, 2), id.slice(2, 4), id)
  }
  return {
    async write(id, bytes) {
      const path = pathOf(id)
      const draft = join(drafts, randomBytes(12).toString('hex'))
      await Promise.all([mkdir(dirname(path), { recursive: true }), mkdir(drafts, { recursive: true })])
      const file = await open(draft, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, path)
    },
    read: (id) => readFile(pathOf(id)),
    stream: (id, range) => Readable.toWeb(createReadStream(pathOf(id), range)) as ReadableStream<Uint8Array>,
    remove: (id) => rm(pathOf(id), { force: true }),
    async *olderThan(before) {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
      for (const entry of entries) {
        if (!entry.isFile()) continue
        const path = join(entry.parentPath, entry.name)
        const written = await stat(path).catch(() => undefined)
        if (!written || written.mtime >= before) continue
        if (entry.parentPath === drafts) await rm(path, { force: true })
        else if (ID_PATTERN.test(entry.name)) yield entry.name
      }
    },
  }
}
