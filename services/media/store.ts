import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { ID_PATTERN } from '../../domain/shared/id-pattern.ts'
import type { Room } from './draft-room.ts'
import { createDrafts, type DraftFolders, type Drafts, filled, type MediaDraft } from './drafts.ts'

/** Where the bytes are; names are ids, never what a member called a file. */
export type MediaStore = Drafts & {
  /** Whole or not at all; on disk when it answers. A draft becomes the file. */
  write(id: string, content: Uint8Array | MediaDraft): Promise<void>
  read(id: string): Promise<Buffer>
  /** `end` is the last byte, counted in. */
  stream(id: string, range?: { start: number; end: number }): ReadableStream<Uint8Array>
  /** Quiet when it is gone already. */
  remove(id: string): Promise<void>
  /** Ids of files last written before `before`; drafts as old are removed on the way. */
  olderThan(before: Date): AsyncIterable<string>
}

/** Files below `folder`, two levels deep by the start of their id. */
export function createFileStore(folder: string, draftFolders: DraftFolders, room?: Room): MediaStore {
  const draftsFolder = join(folder, 'drafts')
  const drafts = createDrafts(draftsFolder, draftFolders, room)
  const pathOf = (id: string) => {
    if (!ID_PATTERN.test(id)) throw new Error('Not a media id.')
    return join(folder, id.slice(0, 2), id.slice(2, 4), id)
  }
  async function write(id: string, content: Uint8Array | MediaDraft): Promise<void> {
    if (content instanceof Uint8Array)
      return drafts.withDrafts(async (newDraft) => write(id, await filled(newDraft, content)))
    const path = pathOf(id)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await flush(content)
    await rename(content.path, path)
  }
  return {
    ...drafts,
    write,
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
        if (entry.parentPath.startsWith(draftsFolder)) await rm(path, { force: true })
        else if (ID_PATTERN.test(entry.name)) yield entry.name
      }
    },
  }
}

/** Forces what is in the file onto the disk. */
async function flush({ path }: MediaDraft): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
