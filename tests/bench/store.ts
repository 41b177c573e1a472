import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { type Postgres, startPostgres } from '../../server/embedded/postgres/launcher.ts'
import { type LogProcess, startLogProcess } from '../drills/log-child.ts'
import { makeTempDir } from '../support/temp-folder.ts'

/** A Postgres that syncs to disk as in production, and the log server as a process of its own. */
export type Store = { postgres: Postgres; log: LogProcess; app: pg.ClientConfig; bare: pg.ClientConfig }

export async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const folder = makeTempDir('letsbuzz-bench-')
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') })
  let log: LogProcess | undefined
  try {
    for (const name of ['log', 'app', 'bare']) await postgres.createDatabase(name)
    log = await startLogProcess(postgres.clientConfig('log'), 0)
    return await work({ postgres, log, app: postgres.clientConfig('app'), bare: postgres.clientConfig('bare') })
  } finally {
    await log?.kill()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
