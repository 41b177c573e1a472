import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { ID_PATTERN } from '../../domain/shared/id-pattern.ts'
import type { Room } from './draft-room.ts'
import { createDrafts, type DraftFolders, type Drafts, type MediaDraft } from './drafts.ts'

/** Where the bytes are; names are ids, never what a member called a file. */
export type MediaStore = Drafts & {
  /** Whole or not at all; on disk when it answers. A draft becomes the file. */
  write(id: string, content: Uint8Array | MediaDraft): Promise<void>
  read(id: string): Promise<Buffer>
  /** `end` is the last byte, counted in. */
  stream(id: string, range?: { start: number; end: number }): ReadableStream<Uint8Array>
  /** Quiet when it is gone already. */
  remove(id: string): Promise<void>
  /** Ids of all files but drafts, folder by folder: there may be very many. */
  ids(): AsyncIterable<string>
  /** Whether it was last written before then; false where it is gone. */
  isOlder(id: string, before: Date): Promise<boolean>
  removeOldDrafts(before: Date): Promise<void>
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
      return drafts.withDrafts(async (newDraft) => become(id, await newDraft(), content))
    return become(id, content)
  }
  async function become(id: string, draft: MediaDraft, bytes?: Uint8Array): Promise<void> {
    const path = pathOf(id)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await flush(draft, bytes)
    await rename(draft.path, path)
  }
  return {
    ...drafts,
    write,
    read: (id) => readFile(pathOf(id)),
    stream: (id, range) => Readable.toWeb(createReadStream(pathOf(id), range)) as ReadableStream<Uint8Array>,
    remove: (id) => rm(pathOf(id), { force: true }),
    async *ids() {
      for (const first of await foldersIn(folder)) {
        const seconds = await foldersIn(join(folder, first))
        for (let from = 0; from < seconds.length; from += READ_AT_ONCE) {
          const some = seconds.slice(from, from + READ_AT_ONCE)
          const names = await Promise.all(some.map((second) => readdir(join(folder, first, second)).catch(() => [])))
          yield* names.flat().filter((name) => ID_PATTERN.test(name))
        }
      }
    },
    isOlder: (id, before) => isOlder(pathOf(id), before),
    async removeOldDrafts(before) {
      for (const own of await namesIn(draftsFolder))
        for (const name of await namesIn(join(draftsFolder, own))) {
          const path = join(draftsFolder, own, name)
          if (await isOlder(path, before)) await rm(path, { force: true })
        }
    },
  }
}

/** Folders of files by the start of their id: there are many, with few files each. */
const READ_AT_ONCE = 16
const PREFIX = /^[a-z0-9]{2}$/

const namesIn = (folder: string) => readdir(folder).catch((): string[] => [])
const foldersIn = async (folder: string) => (await namesIn(folder)).filter((name) => PREFIX.test(name))

async function isOlder(path: string, before: Date): Promise<boolean> {
  const written = await stat(path).catch(() => undefined)
  return written !== undefined && written.mtime < before
}

/** Forces what is in the file, or these bytes, onto the disk. */
async function flush({ path }: MediaDraft, bytes?: Uint8Array): Promise<void> {
  const file = await open(path, 'r+')
  try {
    if (bytes) await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}
