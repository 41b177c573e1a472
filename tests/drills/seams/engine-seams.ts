import { randomBytes, randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { START } from '../../../domain/shared/recorded.ts'
import { type Codec, createCodec } from '../../../eventstore/codec.ts'
import { startLogServer } from '../../../eventstore/embedded/server.ts'
import type { StoredEvent } from '../../../eventstore/events.ts'
import { createKeyRing } from '../../../eventstore/keys.ts'
import { type Log, openLog } from '../../../eventstore/log.ts'
import { migrateToLatest } from '../../../migrations/index.ts'
import { createCaughtUp } from '../../../projections/engine/caught-up.ts'
import { livePositions } from '../../../projections/engine/checkpoints.ts'
import { startPostgres } from '../../../server/postgres/launcher.ts'
import { compareWithTables, foldOfLog } from '../../support/fold-of-log.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { drilled, writeUntil } from '../projector-load.ts'
import { type EngineChild, startEngine } from './engine-child.ts'
import type { Seam } from './hook.ts'

const WRITERS = 2
/** The log stays short enough to be folded after every kill. */
const BETWEEN_APPENDS_MS = 250
const PAGE = 2_000
const DIES_WITHIN_MS = 60_000
const CATCH_UP_MS = 120_000

/** Of a batch of a projector: what can be between its first statement and its answer. */
const BATCH = [
  '^after begin ; update app\\.projection set position[^;]*$',
  '^after begin ; update app\\.projection set position.*insert into "?p_[^;]*$',
  '^before begin ; update app\\.projection set position.*insert into "?p_.* ; commit$',
  '^after begin ; update app\\.projection set position.*insert into "?p_.* ; commit$',
  '^after update app\\.projection set position[^;]*$',
]
/** A rebuild passes fewer points than this; one that passes less than its number ends by itself. */
const POINTS_OF_REBUILD = 90

/** `points`: different ones at which a process died. `wrong`: rows that were no fold of the log up to their checkpoint. */
export type EngineSeams = {
  projectorKills: number
  rebuildKills: number
  rebuilds: number
  points: number
  events: number
  wrong: string[]
}

type Rig = { child: EngineChild; pool: pg.Pool; log: Log; codec: Codec }

/** Kills projectors and rebuilds at every seam; after each, what readers see is the fold of the log at its checkpoint. */
export async function engineSeams(kills: { projector: number; rebuild: number }): Promise<EngineSeams> {
  const folder = makeTempDir('letsbuzz-drill-')
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), fast: true })
  try {
    await Promise.all(['log', 'app'].map((name) => postgres.createDatabase(name)))
    const [logs, database] = [postgres.clientConfig('log'), postgres.clientConfig('app')]
    return await withRig(logs, database, (rig) => killAtSeams(rig, kills))
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withRig<T>(logs: pg.ClientConfig, database: pg.ClientConfig, work: (rig: Rig) => Promise<T>) {
  await migrate(database)
  const server = await startLogServer({ database: logs })
  const log = openLog({ connectionString: server.connectionString })
  const pool = new pg.Pool(database)
  // Connections of an ended pool may still be closing when Postgres stops.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const masterKey = randomBytes(32)
  const codec = createCodec(createKeyRing(pool, masterKey))
  const child = { log: server.connectionString, database, masterKey: masterKey.toString('hex') }
  try {
    return await work({ child, pool, log, codec })
  } finally {
    await log.close()
    await server.stop()
    await pool.end()
  }
}

async function migrate(database: pg.ClientConfig): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool(database) }) })
  await migrateToLatest(db).finally(() => db.destroy())
}

async function killAtSeams(rig: Rig, kills: { projector: number; rebuild: number }): Promise<EngineSeams> {
  const points = new Set<string>()
  const wrong: string[] = []
  const died = async (point: string) => {
    // Names of versions and numbers of parameters differ from kill to kill.
    points.add(point.replace(/_v\d+(_\d+)?/g, '').replace(/\$\d+/g, '$'))
    wrong.push(...(await compareAtCheckpoints(rig)).map((line) => `${line} (killed ${point})`))
  }
  let stopped = false
  const slow: Log = {
    ...rig.log,
    append: async (...given) => {
      await pause(BETWEEN_APPENDS_MS)
      return rig.log.append(...given)
    },
  }
  const writers = Array.from({ length: WRITERS }, (_, n) => writeUntil(() => stopped, slow, rig.codec, n))
  try {
    for (let kill = 0; kill < kills.projector; kill++) await died(await killedProjector(rig, kill))
    const rebuilds = await killRebuilds(rig, kills.rebuild, died)
    stopped = true
    const events = (await Promise.all(writers)).reduce((sum, count) => sum + count, 0)
    wrong.push(...(await compareAll(rig)))
    return {
      ...{ projectorKills: kills.projector, rebuildKills: kills.rebuild, rebuilds },
      ...{ points: points.size, events, wrong },
    }
  } finally {
    stopped = true
    await Promise.allSettled(writers)
  }
}

async function killedProjector({ child }: Rig, kill: number): Promise<string> {
  // Every sixth dies anywhere: while it starts, makes its tables or fills them.
  const at = BATCH[kill % (BATCH.length + 1)] ?? '^(before|after) '
  const engine = startEngine(child, { at, nth: 1 + randomInt(kill % (BATCH.length + 1) === BATCH.length ? 150 : 6) })
  const point = await Promise.race([engine.ended, pause(DIES_WITHIN_MS, undefined, { ref: false })])
  await engine.kill()
  if (!point) throw new Error(`The projector did not pass ${at}: ${engine.said()}`)
  return point
}

/** One rebuild after the other beside a projector that goes on; answers how many ended by themselves. */
async function killRebuilds(rig: Rig, kills: number, died: (point: string) => Promise<void>): Promise<number> {
  const projector = startEngine(rig.child)
  try {
    let rebuilds = 0
    for (let kill = 0; kill < kills; ) {
      const seam: Seam = { at: '^(before|after) ', nth: 1 + randomInt(POINTS_OF_REBUILD) }
      const name = drilled[(kill + rebuilds) % drilled.length]!.name
      const point = await startEngine({ ...rig.child, rebuild: name }, seam).ended
      if (point === null) rebuilds++
      else {
        kill++
        await died(point)
      }
    }
    return rebuilds
  } finally {
    await projector.kill()
  }
}

/** Rows of each live read model against a fold of the log up to its own checkpoint, all at one moment. */
async function compareAtCheckpoints({ pool, log, codec }: Rig): Promise<string[]> {
  const db = await pool.connect()
  try {
    await db.query('begin isolation level repeatable read')
    const live = await livePositions(db)
    const events = await readWhole(log)
    const wrong: string[] = []
    for (const projection of drilled) {
      const position = live.get(projection.name)
      if (position === undefined) continue
      const until = events.filter((event) => event.position <= position)
      const folded = await foldOfLog(inMemory(until), codec, [projection])
      wrong.push(...(await compareWithTables(db, [projection], folded)))
    }
    await db.query('commit')
    return wrong
  } finally {
    db.release()
  }
}

async function readWhole(log: Log): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for (let after = START; ; ) {
    const page = await log.readAll(after, PAGE)
    events.push(...page)
    const last = page.at(-1)
    if (!last) return events
    after = last.position
  }
}

const inMemory = (events: readonly StoredEvent[]): Pick<Log, 'readAll'> => ({
  readAll: async (after, limit) => events.filter(({ position }) => position > after).slice(0, limit),
})

/** A last rebuild of each, and a projector that catches up: everything equals the fold of the whole log. */
async function compareAll(rig: Rig): Promise<string[]> {
  const { child, pool, log, codec } = rig
  const projector = startEngine(child)
  try {
    for (const { name } of drilled) await startEngine({ ...child, rebuild: name }).ended
    const names = drilled.map(({ name }) => name)
    if (!(await createCaughtUp(pool)(await log.head(), names, CATCH_UP_MS))) throw new Error('No catching up.')
    return await compareWithTables(pool, drilled, await foldOfLog(log, codec, drilled))
  } finally {
    await projector.kill()
  }
}
