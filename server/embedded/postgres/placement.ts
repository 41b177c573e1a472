import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { type Account, canReach, isOwnFolder, isRootsCluster, nameOf } from './account.ts'

/** Where the cluster lives, and what the person who starts it should know about that. */
export type Placement = { dataDir: string; notice?: { level: 'info' | 'warn'; text: string } }

const isCluster = (folder: string) => existsSync(join(folder, 'PG_VERSION'))
/** In the temporary place anybody can lay out a folder: one that is not our own counts for nothing there. */
const elsewhereOf = ([system, temporary]: OtherPlaces): string | undefined =>
  [system, temporary].find((place) => isCluster(place) && (place === system || isOwnFolder(dirname(place))))

/**
 * The wished folder, unless Postgres runs as another account that cannot walk there.
 * A cluster that exists is never left behind for an empty folder.
 */
export function placeCluster(wished: string, account: Account): Placement {
  const folder = realPath(wished)
  if (!account.other || isCluster(folder)) return { dataDir: folder }
  const others = otherPlacesOf(folder)
  const elsewhere = elsewhereOf(others)
  const [system, temporary] = others
  const chosen = elsewhere ?? [folder, system].find((candidate) => canPrepare(candidate, account)) ?? temporary
  if (chosen === folder) return { dataDir: folder }
  if (!canPrepare(chosen, account)) throw new Error(noPlaceText(folder, account))
  // Nobody else can have laid out a folder in a shared place and so own the data.
  if (!isOwnFolder(dirname(chosen)))
    throw new Error(elsewhere ? notOwnText(dirname(elsewhere)) : noPlaceText(folder, account))
  return { dataDir: chosen, notice: noticeFor(chosen, folder, account, chosen === temporary) }
}

type OtherPlaces = readonly [system: string, temporary: string]

/** Where else the cluster of a folder may be: a lasting place, and one that is not. */
function otherPlacesOf(folder: string): OtherPlaces {
  const key = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  return [join('/var/lib/letsbuzz', key, 'postgres'), join(tmpdir(), `letsbuzz-${key}`, 'postgres')]
}

/** Whether the wished folder, or one that stands for it, has a cluster. */
export function hasCluster(wished: string): boolean {
  const folder = realPath(wished)
  return existsSync(folder) || elsewhereOf(otherPlacesOf(folder)) !== undefined
}

/** One name for one folder, whichever links lead there; what does not exist yet has no links. */
function realPath(path: string): string {
  let existing = resolve(path)
  while (!existsSync(existing)) existing = dirname(existing)
  return join(realpathSync(existing), relative(existing, resolve(path)))
}

function noticeFor(
  chosen: string,
  wished: string,
  account: Account,
  temporary: boolean,
): NonNullable<Placement['notice']> {
  const why = `Postgres runs as ${account.name}, who cannot enter ${dirname(wished)}`
  if (!temporary) return { level: 'info', text: `${why}: its data is in ${chosen}.` }
  const risk = 'a folder that the system may empty. Set DATA_DIR to a lasting folder that every user can enter'
  return { level: 'warn', text: `${why}: its data is in ${chosen}, ${risk}.` }
}

function noPlaceText(wished: string, account: Account): string {
  return (
    `Postgres runs as ${account.name}, who can enter neither ${dirname(wished)} nor /var/lib/letsbuzz nor ${tmpdir()}. ` +
    'Start as an ordinary user, or set DATA_DIR to a folder that every user can enter.'
  )
}

function notOwnText(folder: string): string {
  return (
    `${folder} holds the data, and is a link, of another user, or writable by others. Make it a folder of your own that ` +
    'nobody else may write; a larger disk can be mounted there.'
  )
}

/** Makes the folders above the data; those it makes can be entered, not listed, by Postgres' account. */
export function prepareParent(dataDir: string): void {
  const missing: string[] = []
  for (let folder = dirname(dataDir); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder)
  for (const folder of missing) {
    mkdirSync(folder)
    chmodSync(folder, process.getuid?.() === 0 ? 0o711 : 0o700)
  }
}

function canPrepare(dataDir: string, account: Account): boolean {
  if (!canReach(dirname(dataDir), account)) return false
  try {
    prepareParent(dataDir)
    return true
  } catch {
    return false
  }
}

/** Throws a readable error when the folder holds something this account or this Postgres cannot open. */
export function checkCluster(dataDir: string, account: Account, major: string): 'new' | 'existing' {
  if (!existsSync(dataDir)) return 'new'
  const owner = statSync(dataDir).uid
  const content = readable(dataDir)
  if (content?.length === 0) return 'new'
  if (content && !content.includes('PG_VERSION')) {
    throw new Error(`${dataDir} holds files that are not a Postgres data folder. Set DATA_DIR to another folder.`)
  }
  if ((owner !== account.uid && !(account.other && isRootsCluster(owner))) || !content)
    throw new Error(otherOwnerText(dataDir, owner, account))
  if (!canReach(dirname(dataDir), account)) {
    throw new Error(`${account.name} cannot enter the folders above ${dataDir}: run chmod o+x on them.`)
  }
  const version = readFileSync(join(dataDir, 'PG_VERSION'), 'utf8').trim()
  if (version !== major) {
    throw new Error(
      `${dataDir} was made by Postgres ${version}, and this program brings Postgres ${major}. Start the program's ` +
        'version that made it, make a backup there and restore it here, or set DATA_DIR to a new folder.',
    )
  }
  return 'existing'
}

function readable(folder: string): string[] | null {
  try {
    return readdirSync(folder)
  } catch {
    return null
  }
}

function otherOwnerText(dataDir: string, owner: number, account: Account): string {
  const me = process.getuid?.() === 0 ? `root, whose Postgres runs as ${account.name}` : account.name
  const way = owner === 0 || isRootsCluster(owner) ? 'start as root' : `start as ${nameOf(owner)}`
  return `${dataDir} belongs to ${nameOf(owner)}, and you are ${me}. Either ${way}, or set DATA_DIR to another folder.`
}

// The system's limit for a socket path, with room for the socket's own name.
const SOCKET_FOLDER_BYTES = 80

/** A private folder with a short path, made for one run. */
export function makeSocketDir(account: Account): string {
  const candidates = [...new Set([tmpdir(), '/tmp', '/var/tmp'])]
  const fits = (folder: string) => Buffer.byteLength(folder) <= SOCKET_FOLDER_BYTES && existsSync(folder)
  const parent = candidates.find((folder) => fits(folder) && canReach(folder, account))
  if (!parent)
    throw new Error('Found no folder for the Postgres socket; set TMPDIR to a short path every user can enter.')
  const folder = mkdtempSync(join(parent, 'letsbuzz-pg-'))
  if (account.other) chownSync(folder, account.uid, account.gid)
  return folder
}
