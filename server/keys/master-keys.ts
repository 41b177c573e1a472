import type pg from 'pg'
import { counted } from '../../domain/shared/counted.ts'
import type { MasterKeys } from '../../domain/shared/master-key.ts'
import { backOff } from '../../eventstore/retry.ts'
import { inTransaction } from '../../projections/engine/transaction.ts'
import { gridKeyOf } from '../../services/nearby/publication.ts'
import { createBox, deriveKey } from '../../services/secrets.ts'
import { listProcesses } from '../process-lock.ts'
import { type MasterSecrets, masterKeysIn } from '../secrets.ts'

/** The secrets of this process are not those that the data is under. */
export class WrongMasterKey extends Error {
  override name = 'WrongMasterKey'
}

const ID_BYTES = 4
const GRID = 'grid offsets'
const ANNOUNCED = 'letsbuzz keys '
const TRIES = 6
const TRIED_WRAPS = 5

/** A name for a master key, which reveals nothing about it. */
export const masterKeyId = (key: Uint8Array): string =>
  deriveKey(key, 'master-key-id').subarray(0, ID_BYTES).toString('hex')

/** What a process lets others know of its keys; the first one seals. */
export const announcementOf = (keys: MasterKeys): string => `${ANNOUNCED}${keys.map(masterKeyId).join()}`

/** Of each process on this database the keys it knows, the one that it seals with first; none if it announces none. */
export async function listKeysOfProcesses(pool: pg.Pool): Promise<string[][]> {
  const names = await listProcesses(pool)
  return names.map((name) => (name.startsWith(ANNOUNCED) ? name.slice(ANNOUNCED.length).split(',') : []))
}

/**
 * Throws `WrongMasterKey` unless these secrets open what is here, and every other process can read what this one will seal.
 * Answers the key of the members' own grids, which stays when the master key changes.
 */
export async function admitKeys(pool: pg.Pool, secrets: MasterSecrets): Promise<Buffer> {
  const keys = masterKeysIn(secrets)
  const [current, ...others] = keys.map(masterKeyId) as [string, ...string[]]
  const rows = await listNoted(pool)
  const own = rows.find(({ id }) => id === current)
  if (own?.retiring) throw outOfUse(current)
  const unknown = rows.filter(({ id, retired }) => !retired && id !== current && !others.includes(id))
  if (unknown.length > 0 || (rows.length === 0 && !(await opensSome(pool, keys)))) throw underAnother(current, unknown)
  // A release that noted no keys runs perhaps beside this one, with the same.
  if (!own && (rows.length > 0 || others.length > 0)) await allKnow(pool, current)
  return own ? openGridKey(pool, secrets) : noteKey(pool, secrets, current)
}

/**
 * Throws `WrongMasterKey` unless the product seals with the first of these keys: what is made under another one, nobody
 * could open who has the product's own.
 */
export async function requireKeyInUse(db: Db, [key]: MasterKeys): Promise<void> {
  const current = masterKeyId(key)
  const { rows: tables } = await db.query<{ there: boolean }>(
    `select to_regclass('app.master_key') is not null as there`,
  )
  const rows = tables[0]!.there ? await listNoted(db) : []
  const own = rows.find(({ id }) => id === current)
  if (own?.retiring) throw outOfUse(current)
  if (!own && (rows.length > 0 || !(await opensSome(db, [key])))) throw underAnother(current, rows)
}

type Db = Pick<pg.ClientBase, 'query'>
type Noted = { readonly id: string; readonly retiring: boolean; readonly retired: boolean }

async function listNoted(db: Db): Promise<Noted[]> {
  const { rows } = await db.query<Noted>(
    'select id, retiring_at is not null as retiring, retired_at is not null as retired from app.master_key',
  )
  return rows
}

const outOfUse = (current: string) =>
  new WrongMasterKey(`MASTER_KEY ${current} was taken out of use: the key that followed it is to be set.`)

function underAnother(current: string, others: readonly Noted[]): WrongMasterKey {
  const names = others.filter(({ retired }) => !retired).map(({ id }) => id)
  return new WrongMasterKey(
    `What is stored here is under another MASTER_KEY (${names.join(', ') || 'unnamed'}), and ${current} is set. While a key is rotated, the one before is set as MASTER_KEY_OLD. Where the product keeps its own Postgres and DATA_DIR was removed, remove its folder as well: a start as root names it where it is elsewhere.`,
  )
}

/** Of two first starts at once, with different keys, the one that keeps the grid's key first is let in; the other one leaves no trace. */
function noteKey(pool: pg.Pool, secrets: MasterSecrets, current: string): Promise<Buffer> {
  return inTransaction(pool, async (client) => {
    const gridKey = await openGridKey(client, secrets)
    await client.query('insert into app.master_key (id) values ($1) on conflict do nothing', [current])
    return gridKey
  })
}

/** A product of a release that noted no keys: a few of its wraps show whether the key fits. */
async function opensSome(db: Db, keys: MasterKeys): Promise<boolean> {
  const { rows } = await db.query<{ subject: string; wrapped: Buffer }>(
    `select subject, wrapped from app.subject_key where wrapped <> '' limit ${TRIED_WRAPS}`,
  )
  const box = createBox(keys, 'subject-keys')
  const opens = ({ subject, wrapped }: (typeof rows)[number]) => {
    try {
      return box.open(subject, wrapped).length > 0
    } catch {
      return false
    }
  }
  return rows.length === 0 || rows.some(opens)
}

/** Throws while there is a process that could not read what a new key seals. */
async function allKnow(pool: pg.Pool, id: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const unaware = (await listKeysOfProcesses(pool)).filter((known) => !known.includes(id)).length
    if (unaware === 0) return
    // One that has just ended may still be on its way out.
    if (attempt === TRIES)
      throw new WrongMasterKey(
        `MASTER_KEY ${id} is new here, and ${counted(unaware, 'process does', 'processes do')} not know it: start them again with it as MASTER_KEY_NEXT, or stop them, and wait for a backup under way.`,
      )
    await backOff(attempt)
  }
}

async function openGridKey(db: Db, secrets: MasterSecrets): Promise<Buffer> {
  const box = createBox(masterKeysIn(secrets), 'kept-keys')
  const made = gridKeyOf(secrets.masterKeyOld ?? secrets.masterKey)
  await db.query('insert into app.kept_key (purpose, wrapped) values ($1, $2) on conflict do nothing', [
    GRID,
    box.seal(GRID, made),
  ])
  const { rows } = await db.query<{ wrapped: Buffer }>('select wrapped from app.kept_key where purpose = $1', [GRID])
  try {
    return box.open(GRID, rows[0]!.wrapped)
  } catch (cause) {
    throw new WrongMasterKey(
      `What is stored here was begun under another MASTER_KEY than ${masterKeyId(secrets.masterKey)}, or its kept key is damaged.`,
      { cause },
    )
  }
}
