import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'

/** What a start answers where a restore did not come to its end. */
export const INTERRUPTED =
  'A restore was interrupted here. Run "npm run backup -- restore <folder>" again; nothing is served before.'

const markOf = (dataDir: string) => join(dataDir, 'restoring')
/** An empty schema, which no restore drops: the mark for whoever has the database and another folder. */
const MARK = 'half_restored'

/** Marks folder and database: what the stores hold from here on is neither the old nor the new. */
export async function beginRestoring(dataDir: string, client: pg.ClientBase): Promise<void> {
  await client.query(`create schema if not exists ${MARK}`)
  const file = openSync(markOf(dataDir), 'w', 0o600)
  fsyncSync(file)
  closeSync(file)
}

/** Takes both marks away; the database's last, over the connection that has kept others out so far. */
export async function endRestoring(dataDir: string, client: pg.ClientBase): Promise<void> {
  rmSync(markOf(dataDir), { force: true })
  await client.query(`drop schema if exists ${MARK}`)
}

/** Throws when a restore did not come to its end: nothing may be served from half of a backup. */
export function refuseHalfRestored(dataDir: string): void {
  if (isFolderHalfRestored(dataDir)) throw new Error(INTERRUPTED)
}

export const isFolderHalfRestored = (dataDir: string): boolean => existsSync(markOf(dataDir))

/** Whether the database holds half of a backup, whichever folder it was restored with. */
export async function isHalfRestored(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ half: boolean }>('select to_regnamespace($1) is not null as half', [MARK])
  return rows[0]!.half
}
