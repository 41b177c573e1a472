import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * The system account that Postgres runs as. `other` is true when it is not the account of this process; `initdbUid` then
 * makes the cluster, in a folder that its group alone can enter.
 */
export type Account = { uid: number; gid: number; name: string; other: boolean; initdbUid: number }

/** Numbers that Debian and systemd leave unused. */
const UNUSED = { from: 60_700, to: 61_183 }

/**
 * Postgres refuses to run as root; root therefore runs it under a number of its own, that is no account's: whoever else
 * works on this machine can enter neither its files nor its socket. Only making a cluster wants an account with a name.
 */
export function postgresAccount(): Account {
  const uid = process.getuid?.() ?? -1
  const gid = process.getgid?.() ?? -1
  if (uid !== 0) return { uid, gid, name: nameOf(uid), other: false, initdbUid: uid }
  const entries = passwdEntries()
  const nobody = entries.find((entry) => entry.name === 'nobody')
  if (!nobody) {
    throw new Error(
      'Postgres cannot run as root, and this machine has no account named nobody to make its files. ' +
        'Start as an ordinary user, or set DATABASE_URL to a Postgres server.',
    )
  }
  const taken = new Set(entries.flatMap((entry) => [entry.uid, entry.gid]))
  let own = UNUSED.from
  while (taken.has(own) && own < UNUSED.to) own++
  return { uid: own, gid: own, name: nameOf(own), other: true, initdbUid: nobody.uid }
}

/** Whether a cluster of this owner was made by a start as root, which may have run Postgres as `nobody`. */
export const isRootsCluster = (owner: number): boolean =>
  nameOf(owner) === 'nobody' || (owner >= UNUSED.from && owner <= UNUSED.to)

export function nameOf(uid: number): string {
  return passwdEntries().find((entry) => entry.uid === uid)?.name ?? `uid ${uid}`
}

/** Whether the account may walk through every existing folder above `path`, the last existing one included. */
export function canReach(path: string, account: Account): boolean {
  if (!account.other) return true
  let folder = resolve(path)
  while (!existsSync(folder)) folder = dirname(folder)
  for (;;) {
    if (!allows(folder, account, 0o1)) return false
    if (folder === dirname(folder)) return true
    folder = dirname(folder)
  }
}

/** `bits`: 4 read, 2 write, 1 walk or execute, as one octal digit. */
export function allows(path: string, account: Account, bits: number): boolean {
  const { mode, uid, gid } = statSync(path)
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
  return ((mode >> shift) & bits) === bits
}

/** A real folder of this process' own user, so that nobody can have laid it out in a shared place. */
export function isOwnFolder(path: string): boolean {
  const stat = lstatSync(path)
  return stat.isDirectory() && stat.uid === (process.getuid?.() ?? stat.uid) && (stat.mode & 0o022) === 0
}

function passwdEntries(): { name: string; uid: number; gid: number }[] {
  if (!existsSync('/etc/passwd')) return []
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && uid && gid ? [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }] : []
  })
}
