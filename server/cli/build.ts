import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { writeIconSprite } from './icons.ts'

/** What ends up in a page or in its server code; a change in any of it makes a new build. */
const FOLDERS = ['app', 'domain', 'eventstore', 'services', 'projections', 'realtime', 'public']
const FILES = ['package-lock.json', 'remix.config.js', 'vite.config.ts', 'tsconfig.json']
const STAMP = 'build/sources.sha256'

async function sourceFiles(root: string): Promise<string[]> {
  const lists = await Promise.all(
    FOLDERS.map(async (folder) => {
      const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true }).catch(() => [])
      return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
    }),
  )
  return [...lists.flat().sort(), ...FILES.map((file) => path.join(root, file))]
}

async function stampOf(root: string): Promise<string> {
  const hash = createHash('sha256')
  for (const file of await sourceFiles(root)) {
    hash
      .update(path.relative(root, file))
      .update('\0')
      .update(await readFile(file))
  }
  return hash.digest('hex')
}

/** Builds pages for browser and server into `build/`, unless the last build had the same sources. Answers whether it did. */
export async function buildApp(root: string, quiet = false): Promise<boolean> {
  await writeIconSprite(root)
  const stamp = await stampOf(root)
  const last = await readFile(path.join(root, STAMP), 'utf8').catch(() => '')
  if (last === stamp) return false
  const options = { root, logLevel: quiet ? ('error' as const) : ('info' as const), mode: 'production' }
  await build(options)
  await build({ ...options, build: { ssr: true } })
  await writeFile(path.join(root, STAMP), stamp)
  return true
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const built = await buildApp(path.resolve(import.meta.dirname, '../..'))
  console.log(built ? 'Built.' : 'The build is up to date.')
}
