import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

/** What a page may send to the browser as script, compressed. */
export const BUDGET_BYTES = 110 * 1024

/** `isEntry`: a page loads it by itself; else another script asks for it when it is needed. */
type Chunk = { file: string; isEntry?: boolean; src?: string; imports?: string[]; css?: string[] }
type Manifest = Record<string, Chunk>

export type PageSize = { page: string; files: number; bytes: number }

/** All scripts that a page loads before it works: the entry, the root, the page, and what they import. */
function filesOf(manifest: Manifest, starts: readonly string[]): Set<string> {
  const files = new Set<string>()
  const visit = (key: string): void => {
    const chunk = manifest[key]
    if (!chunk || files.has(chunk.file)) return
    if (chunk.file.endsWith('.js')) files.add(chunk.file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const start of starts) visit(start)
  return files
}

/** The gzip size of each page's script, from Vite's manifest in `build/client`; the largest first. */
export async function pageSizes(clientDir: string): Promise<PageSize[]> {
  const manifest: Manifest = JSON.parse(await readFile(path.join(clientDir, '.vite', 'manifest.json'), 'utf8'))
  const keys = Object.keys(manifest)
  const common = keys.filter((key) => /app\/(root|entry\.client)\.tsx/.test(key))
  const pages = keys.filter((key) => key.startsWith('app/routes/') && manifest[key]?.isEntry)
  const sizes = await Promise.all(
    pages.map(async (key) => {
      const files = [...filesOf(manifest, [...common, key])]
      const packed = await Promise.all(
        files.map(async (file) => gzipSync(await readFile(path.join(clientDir, file))).length),
      )
      const page = key.replace(/^app\/routes\/|\?.*$|\.tsx?(?=\?|$)/g, '')
      return { page, files: files.length, bytes: packed.reduce((sum, bytes) => sum + bytes, 0) }
    }),
  )
  return sizes.sort((one, other) => other.bytes - one.bytes)
}

/** A line for each page; what is over the budget is marked. */
export function describeSizes(sizes: readonly PageSize[]): string[] {
  return sizes.map(({ page, files, bytes }) => {
    const size = `${String(files).padStart(3)} files ${(bytes / 1024).toFixed(1).padStart(7)} KB gzip`
    return `${page.padEnd(32)} ${size}${bytes > BUDGET_BYTES ? '  over the budget' : ''}`
  })
}
