import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { nodeArgs } from '../../../services/node-args.ts'
import { type Lock, LockTaken, takeLock } from '../../embedded/lifecycle/lock-file.ts'
import { writeIconSprite } from './icons.ts'

/** What ends up in a page or in its server code; a change in any of it makes a new build. */
const FOLDERS = ['app', 'domain', 'eventstore', 'services', 'projections', 'usecases', 'realtime', 'public']
const FILES = ['package-lock.json', 'remix.config.js', 'vite.config.ts', 'tsconfig.json', 'server/tools/build/icons.ts']
/** Packages that a server of built pages need not have. */
const BUILDERS = ['vite', '@remix-run/dev', 'lucide-static']
const STAMP = 'build/sources.sha256'
const LOCK = 'node_modules/.cache/letsbuzz-pages.lock'
const LOCK_RETRY_MS = 200
const BUNDLER = new URL('./pages-process.ts', import.meta.url)

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

/**
 * Runs one build at a time: a started product and a test run may want the same one at once. A killed one is not waited
 * for.
 */
async function alone<T>(root: string, work: () => Promise<T>): Promise<T> {
  const file = path.join(root, LOCK)
  await mkdir(path.dirname(file), { recursive: true })
  const lock = await waitForLock(file)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

async function waitForLock(at: string): Promise<Lock> {
  for (;;) {
    try {
      return takeLock(at)
    } catch (error) {
      if (!(error instanceof LockTaken)) throw error
      await wait(LOCK_RETRY_MS)
    }
  }
}

/**
 * Builds pages for browser and server into `build/`, unless the last build had the same sources. Answers whether it
 * did; `onBuild` hears of it first. Where there are no sources, as on a server that was given a build alone, that is
 * taken.
 */
export async function buildPages(root: string, quiet = false, onBuild = () => {}): Promise<boolean> {
  const hasSources = existsSync(path.join(root, 'app'))
  // Nothing is written then: whoever serves need not own the program.
  if (hasSources && (await isCurrent(root))) return false
  if (hasSources) return alone(root, () => buildIfChanged(root, quiet, onBuild))
  if (existsSync(path.join(root, STAMP))) return false
  throw new Error(
    'The pages are not built, and their sources are not here: bring the folder build/ from where they are.',
  )
}

/**
 * Bundles in a process of its own, so that the tools for it stay out of the one that serves. It dies with its parent.
 * Vite takes NODE_ENV over its mode; a build begun by a test would hold React's development code.
 */
async function bundle(root: string, quiet: boolean): Promise<void> {
  const child = spawn(process.execPath, [...nodeArgs(BUNDLER), fileURLToPath(BUNDLER), quiet ? 'quiet' : ''], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [code, signal] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The pages could not be built (${signal ?? code}).`)
}

async function isCurrent(root: string): Promise<boolean> {
  const last = await readFile(path.join(root, STAMP), 'utf8').catch(() => '')
  return last === (await stampOf(root))
}

async function buildIfChanged(root: string, quiet: boolean, onBuild: () => void): Promise<boolean> {
  if (await isCurrent(root)) return false
  refuseWithoutBuilders()
  onBuild()
  // An interrupted build has no stamp, whatever sources come next.
  await rm(path.join(root, STAMP), { force: true })
  await writeIconSprite(root)
  const stamp = await stampOf(root)
  await bundle(root, quiet)
  await writeFile(path.join(root, STAMP), stamp)
  return true
}

function refuseWithoutBuilders(): void {
  const { resolve } = createRequire(import.meta.url)
  for (const name of BUILDERS) {
    try {
      resolve(`${name}/package.json`)
    } catch {
      throw new Error(
        `The pages are not built, or their sources have changed since, and ${name}, which helps to build them, is not ` +
          'installed. Run npm ci without --omit=dev, or bring the folder build/ from where these sources were built.',
      )
    }
  }
}
