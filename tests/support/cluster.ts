import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { type Postgres, startPostgres } from '../../server/embedded/postgres/launcher.ts'
import { testServer } from './postgres.ts'
import { RUN_FOLDER } from './temp-folder.ts'

const NEW = 'cluster'
/** With the password that lets in. */
const copy = (from: string, to: string) => {
  for (const part of ['', '-secret']) execFileSync('cp', ['-a', `${from}${part}`, `${to}${part}`])
}

/** Makes the cluster of a run, of which every other one of the run is a copy, and starts one. */
export async function startCluster(runFolder: string): Promise<Postgres> {
  const made = join(runFolder, NEW)
  await startPostgres({ dataDir: made, fast: true }).then((postgres) => postgres.stop())
  const dataDir = join(runFolder, 'postgres')
  copy(made, dataDir)
  const postgres = await startPostgres({ dataDir, fast: true })
  await askNoPassword(postgres)
  return postgres
}

/** To prove the password takes longer than most of what thousands of connections of tests do; its socket is the account's own. */
async function askNoPassword(postgres: Postgres): Promise<void> {
  await writeFile(join(postgres.dataDir, 'pg_hba.conf'), 'local all all trust\n')
  const client = new pg.Client(postgres.clientConfig('postgres'))
  await client.connect()
  await client.query('select pg_reload_conf()')
  await client.end()
}

/**
 * Puts a cluster where a first start would make one, where that is not what is tested: making one takes longer than all
 * that follows. Outside of a run it is left to the start.
 */
export async function layCluster(dataDir: string): Promise<void> {
  const folder = process.env[RUN_FOLDER]
  if (!folder) return
  await testServer()
  copy(join(folder, NEW), dataDir)
}
