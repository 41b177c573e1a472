import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ID_PATTERN } from '../../domain/shared/id-pattern.ts'
import { randomId } from '../random-id.ts'

/** The whole of a stream, on disk. `keep` makes it the export, in place of whatever is there; `drop` removes it. */
export type BegunExport = { readonly bytes: number; keep(): Promise<void>; drop(): Promise<void> }

/** The bytes of members' exports, one file each. */
export type ExportFiles = {
  /** Takes the whole of a stream, which is no export before it is kept. Nothing stays of one that fails. */
  write(id: string, source: Readable, signal: AbortSignal): Promise<BegunExport>
  /** null when there is none. */
  open(id: string): Promise<{ bytes: number; body: ReadableStream<Uint8Array> } | null>
  /** With what is begun of it; quiet when it is gone already. */
  remove(id: string): Promise<void>
  /** Ids of the files, begun ones too, that were last written before `before`. */
  olderThan(before: Date): Promise<string[]>
}

const WHOLE = '.zip'
const BEGUN = '.part'
const idOf = (name: string): string => name.replace(/(-[0-9a-z]+)?\.(zip|part)$/, '')

/** Files of ours alone below `folder`; names are ids. */
export function createExportFiles(folder: string): ExportFiles {
  const pathOf = (id: string, ending: string) => {
    if (!ID_PATTERN.test(id)) throw new Error('Not the id of an export.')
    return join(folder, `${id}${ending}`)
  }
  const names = () => readdir(folder).catch(() => [])
  const removeAll = async (id: string, but?: string) => {
    const own = (await names()).filter((name) => idOf(name) === id).map((name) => join(folder, name))
    for (const path of own) if (path !== but) await rm(path, { force: true })
  }
  return {
    async write(id, source, signal) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // Another process may write the same export.
      const [begun, whole] = [pathOf(id, `-${randomId()}${BEGUN}`), pathOf(id, WHOLE)]
      const drop = () => rm(begun, { force: true })
      const sink = createWriteStream(begun, { flags: 'wx', mode: 0o600, flush: true })
      try {
        await pipeline(source, sink, { signal })
        const keep = async () => {
          await rename(begun, whole)
          await removeAll(id, whole)
        }
        return { bytes: sink.bytesWritten, keep, drop }
      } catch (error) {
        await drop()
        throw error
      }
    },
    async open(id) {
      const path = pathOf(id, WHOLE)
      const found = await stat(path).catch(() => null)
      if (!found) return null
      return { bytes: found.size, body: Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array> }
    },
    remove: (id) => removeAll(id),
    async olderThan(before) {
      const old: string[] = []
      for (const name of await names()) {
        const written = await stat(join(folder, name)).catch(() => null)
        if (written && written.mtime < before) old.push(idOf(name))
      }
      return [...new Set(old)].filter((id) => ID_PATTERN.test(id))
    },
  }
}
