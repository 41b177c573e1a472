import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ID_PATTERN } from '../../domain/shared/id-pattern.ts'

/** The bytes of members' exports, one file each. */
export type ExportFiles = {
  /** Takes the whole of a stream, and answers how many bytes it was. A file is there whole or not at all. */
  write(id: string, source: Readable, signal: AbortSignal): Promise<number>
  /** null when there is none. */
  open(id: string): Promise<{ bytes: number; body: ReadableStream<Uint8Array> } | null>
  /** Quiet when it is gone already. */
  remove(id: string): Promise<void>
  /** Ids of the files, begun ones too, that were last written before `before`. */
  olderThan(before: Date): Promise<string[]>
}

const WHOLE = '.zip'
const BEGUN = '.part'

/** Files of ours alone below `folder`; names are ids. */
export function createExportFiles(folder: string): ExportFiles {
  const pathOf = (id: string, ending: string) => {
    if (!ID_PATTERN.test(id)) throw new Error('Not the id of an export.')
    return join(folder, `${id}${ending}`)
  }
  return {
    async write(id, source, signal) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const begun = pathOf(id, BEGUN)
      await pipeline(source, createWriteStream(begun, { mode: 0o600 }), { signal })
      const file = await open(begun)
      await file.sync().finally(() => file.close())
      const { size } = await stat(begun)
      await rename(begun, pathOf(id, WHOLE))
      return size
    },
    async open(id) {
      const path = pathOf(id, WHOLE)
      const found = await stat(path).catch(() => null)
      if (!found) return null
      return { bytes: found.size, body: Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array> }
    },
    async remove(id) {
      for (const ending of [BEGUN, WHOLE]) await rm(pathOf(id, ending), { force: true })
    },
    async olderThan(before) {
      const names = await readdir(folder).catch(() => [])
      const old: string[] = []
      for (const name of names) {
        const written = await stat(join(folder, name)).catch(() => null)
        if (written && written.mtime < before) old.push(name.replace(/\.(zip|part)$/, ''))
      }
      return [...new Set(old)].filter((id) => ID_PATTERN.test(id))
    },
  }
}
