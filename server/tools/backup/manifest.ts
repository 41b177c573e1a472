import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { type MasterKey, masterKeysOf } from '../../../domain/shared/master-key.ts'
import { readErased } from '../../../services/erased-ledger.ts'
import { deriveKey, sameBytes } from '../../../services/secrets.ts'
import { hashFile } from './files.ts'

export const MANIFEST = 'manifest.json'
export const ERASED = 'erased'
export const SECRETS = 'secrets.json'

const file = z.object({ path: z.string(), bytes: z.number(), sha256: z.string() })
const table = z.object({
  schema: z.enum(['app', 'log']),
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.number(),
  path: z.string(),
})
const body = z.object({
  format: z.literal(1),
  madeAt: z.string(),
  /** The last event's position. */
  position: z.number(),
  /** The newest migration of schema `app`. */
  migration: z.string(),
  tables: z.array(table),
  files: z.array(file),
})
const manifest = z.object({ body, mac: z.string() })

export type BackupFile = z.output<typeof file>
export type BackupTable = z.output<typeof table>
export type Manifest = z.output<typeof body>

/** The backup is not what was made, or was made under another master key. */
export class BackupDamaged extends Error {
  override name = 'BackupDamaged'
}

const macOf = (masterKey: Uint8Array, text: string) =>
  createHmac('sha256', deriveKey(masterKey, 'backup-manifest')).update(text).digest()

export function manifestText(masterKey: MasterKey, of: Manifest): string {
  const [sealing] = masterKeysOf(masterKey)
  const mac = macOf(sealing, JSON.stringify(of)).toString('hex')
  return `${JSON.stringify({ body: of, mac }, null, 1)}\n`
}

/** Throws `BackupDamaged` when there is none, or none that this master key has made; null stands for no key at all. */
export async function readManifest(folder: string, masterKey: MasterKey | null): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => {
    throw new BackupDamaged(`${folder} holds no finished backup: there is no ${MANIFEST}.`)
  })
  const read = manifest.safeParse(parsed(text))
  if (!read.success) throw new BackupDamaged(`The ${MANIFEST} in ${folder} is damaged.`)
  const { body, mac } = read.data
  const isMac = (key: Uint8Array) => sameBytes(macOf(key, JSON.stringify(body)), Buffer.from(mac, 'hex'))
  if (!masterKey)
    throw new BackupDamaged(
      `Nothing here opens the backup in ${folder}: set MASTER_KEY, or put ${SECRETS} of the product it is from into DATA_DIR.`,
    )
  if (!masterKeysOf(masterKey).some(isMac))
    throw new BackupDamaged(
      `The backup in ${folder} was altered, or made under another MASTER_KEY: MASTER_KEY, or ${SECRETS} in DATA_DIR, is not that of the product it is from. A key that was rotated since is set as MASTER_KEY_OLD.`,
    )
  return body
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Compares every file with its hash; throws `BackupDamaged` that names the first that differs. */
export async function verifyFiles(folder: string, of: Manifest, at: (bytes: number) => void): Promise<void> {
  let done = 0
  for (const { path, bytes, sha256 } of of.files) {
    const found = await hashFile(join(folder, path)).catch(() => null)
    if (!found) throw new BackupDamaged(`${path} is missing in the backup.`)
    if (found.sha256 !== sha256) throw new BackupDamaged(`${path} is not what the backup stored.`)
    done += bytes
    at(done)
  }
}

/** The ledger that a backup carries, empty where no backup is; null when it is not that backup's own, or not of this key. */
export async function erasedOf(folder: string, masterKey: MasterKey): Promise<Set<string> | null> {
  if (!existsSync(join(folder, MANIFEST))) return new Set()
  // Whoever reads a pipe that nobody writes to waits for ever.
  const isThere = async (name: string) => (await stat(join(folder, name)).catch(() => null))?.isFile() ?? false
  const of = (await isThere(MANIFEST)) ? await readManifest(folder, masterKey).catch(() => null) : null
  const entry = of?.files.find(({ path }) => path === ERASED)
  const found = entry && (await isThere(ERASED)) && (await hashFile(join(folder, ERASED)).catch(() => null))
  return found && found.sha256 === entry.sha256 ? readErased(join(folder, ERASED)) : null
}
