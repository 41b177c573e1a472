import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { createCodec } from '../../eventstore/codec.ts'
import { startLogServer } from '../../eventstore/embedded/server.ts'
import { createKeyRing } from '../../eventstore/keys.ts'
import { openLog } from '../../eventstore/log.ts'
import { createCaughtUp } from '../../projections/engine/caught-up.ts'
import { quiet } from '../../services/quiet-pool.ts'
import { compareWithTables, foldOfLog } from '../support/fold-of-log.ts'
import { testDatabase } from '../support/postgres.ts'
import { appTemplate } from '../support/templates/app.ts'
import { startProjectorProcess } from './projector-child.ts'
import { drilled, writeUntil } from './projector-load.ts'

const PROJECTORS = 2
const WRITERS = 8
const SECONDS_BETWEEN_KILLS = 0.6
const CATCH_UP_MS = 120_000

/**
 * `wrong`: rows of the views that differ from a fold of the log; `quarantined`: events in quarantine. Both must be
 * none.
 */
export type ProjectorKillResult = { kills: number; events: number; rows: number; wrong: string[]; quarantined: number }
export type ProjectorKillOptions = { kills: number; seconds?: number }

/**
 * Kills concurrent projectors in turn while the log is written, then compares every read model with a plain fold of the
 * log.
 */
export async function projectorKillDrill({
  kills,
  seconds = SECONDS_BETWEEN_KILLS,
}: ProjectorKillOptions): Promise<ProjectorKillResult> {
  const [logs, app] = await Promise.all([testDatabase(), testDatabase({ template: appTemplate })])
  try {
    return await killUnderLoad(logs.config, app.config, kills, seconds)
  } finally {
    await Promise.all([logs.drop(), app.drop()])
  }
}

async function killUnderLoad(logs: pg.ClientConfig, database: pg.ClientConfig, kills: number, seconds: number) {
  const server = await startLogServer({ database: logs })
  const log = openLog({ connectionString: server.connectionString })
  const pool = quiet(new pg.Pool(database))
  // Connections of an ended pool may still be closing when Postgres stops.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const masterKey = randomBytes(32)
  const codec = createCodec(createKeyRing(pool, masterKey))
  const start = () =>
    startProjectorProcess({ log: server.connectionString, database, masterKey: masterKey.toString('hex') })
  const projectors = await Promise.all(Array.from({ length: PROJECTORS }, start))
  try {
    let stopped = false
    const writers = Array.from({ length: WRITERS }, (_, number) => writeUntil(() => stopped, log, codec, number))
    for (let kill = 0; kill < kills; kill++) {
      await pause(Math.random() * seconds * 1_000)
      const victim = kill % PROJECTORS
      await projectors[victim]!.kill()
      projectors[victim] = await start()
    }
    stopped = true
    const events = (await Promise.all(writers)).reduce((sum, count) => sum + count, 0)
    const caughtUp = await createCaughtUp(pool, log)(
      await log.head(),
      drilled.map(({ name }) => name),
      CATCH_UP_MS,
    )
    if (!caughtUp) throw new Error('The projectors did not catch up.')
    const folded = await foldOfLog(log, codec, drilled)
    const rows = [...folded.values()].reduce((sum, table) => sum + table.size, 0)
    const wrong = await compareWithTables(pool, drilled, folded)
    const quarantined = (await pool.query('select from app.quarantine')).rowCount ?? 0
    return { kills, events, rows, wrong, quarantined }
  } finally {
    await Promise.all(projectors.map((projector) => projector.kill()))
    await log.close()
    await server.stop()
    await pool.end()
  }
}
