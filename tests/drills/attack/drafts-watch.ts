import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setInterval as every } from 'node:timers/promises'
import { footprintOf } from '../footprint.ts'

const EVERY_MS = 100
const MIB = 1024 * 1024

/**
 * `startMib`: resident at first, `peakMib`: at most. `draftsMib`: of files on their way on disk at most at once; `writtenMib`: of all of them
 * together, each as large as it was seen.
 */
export type Watched = {
  readonly startMib: number
  readonly peakMib: number
  readonly draftsMib: number
  readonly writtenMib: number
}

/** Looks at a program and its drafts ten times a second until it is stopped. */
export function watchDrafts(pid: number, draftsFolder: string): { stop(): Promise<Watched> } {
  const over = new AbortController()
  const sizes = new Map<string, number>()
  const startMib = footprintOf(pid).mib
  let [peakMib, drafts] = [startMib, 0]
  const look = async () => {
    peakMib = Math.max(peakMib, footprintOf(pid).mib)
    const now = await sizesIn(draftsFolder)
    drafts = Math.max(drafts, sum(now.values()))
    for (const [path, bytes] of now) sizes.set(path, Math.max(bytes, sizes.get(path) ?? 0))
  }
  const looking = (async () => {
    for await (const _ of every(EVERY_MS, null, { signal: over.signal })) await look()
  })().catch((error: Error) => {
    if (error.name !== 'AbortError') throw error
  })
  return {
    async stop() {
      over.abort()
      await looking
      return { startMib, peakMib, draftsMib: mib(drafts), writtenMib: mib(sum(sizes.values())) }
    },
  }
}

/** Each process has a folder of its own. A file or folder may go at any moment. */
async function sizesIn(folder: string): Promise<Map<string, number>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sizes = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return new Map(paths.map((path, at) => [path, sizes[at]!]))
}

const sum = (values: Iterable<number>) => [...values].reduce((all, one) => all + one, 0)
const mib = (bytes: number) => Math.round(bytes / MIB)
