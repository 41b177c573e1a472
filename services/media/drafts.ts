import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DraftRoom, type Room, type Sender, type Taken } from './draft-room.ts'

/** A file for bytes on their way: empty when it is made, and removed when the work it was made for ends. */
export type MediaDraft = {
  readonly path: string
  /** Asked before bytes that somebody sends are written: false where there is no room for them. */
  readonly take?: Taken['take']
}
export type NewDraft = () => Promise<MediaDraft>

/** Asked with how many bytes of whom go to disk; false where that is too much beside others that are on their way. */
export type ToDisk = (bytes: number, sender: Sender) => Promise<boolean>
export type From = Sender & { readonly toDisk?: ToDisk | undefined }

/** Each process has a folder of drafts to itself, so that another can find what was left. */
export type DraftFolders = {
  /** This process's. */
  readonly own: string
  /** Whether the process of that folder has ended. */
  readonly isLeft: (name: string) => boolean
}

export type Drafts = {
  /** The drafts of `work` are removed when it ends, however it ends. What they take counts for the sender, if there is one. */
  withDrafts<T>(work: (newDraft: NewDraft) => Promise<T>, from?: From): Promise<T>
  /** Removes the folders of processes that have ended; answers how many there were. */
  removeLeft(): Promise<number>
}

export function createDrafts(folder: string, { own, isLeft }: DraftFolders, room: Room = new DraftRoom()): Drafts {
  const home = join(folder, own)
  return {
    async withDrafts(work, from) {
      const taken = from && enter(room, from)
      const paths: string[] = []
      try {
        return await work(async () => {
          const path = join(home, randomBytes(12).toString('hex'))
          paths.push(path)
          await makeEmpty(path)
          return { path, ...(taken && { take: taken.take }) }
        })
      } finally {
        try {
          await Promise.all(paths.map(removeFile))
        } finally {
          taken?.end()
        }
      }
    },
    async removeLeft() {
      const names = await readdir(folder).catch(() => [])
      const left = names.filter((name) => name !== own && isLeft(name))
      await Promise.all(left.map((name) => rm(join(folder, name), { recursive: true, force: true })))
      return left.length
    },
  }
}

function enter(room: Room, { toDisk, ...sender }: From): Taken {
  const taken = room.enter(sender)
  if (!toDisk) return taken
  const take = async (bytes: number) => (await toDisk(bytes, sender)) && taken.take(bytes)
  return { ...taken, take }
}

/** Only the first draft of a process finds no folder. */
async function makeEmpty(path: string): Promise<void> {
  const make = () => writeFile(path, '', { flag: 'wx', mode: 0o600 })
  try {
    await make()
  } catch (error) {
    if (!isMissing(error)) throw error
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await make()
  }
}

/** Quiet where it is gone, as a draft is that became a file. */
async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'
