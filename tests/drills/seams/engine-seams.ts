import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Codec, createCodec } from '../../../eventstore/codec.ts'
import { startLogServer } from '../../../eventstore/embedded/server.ts'
import { createKeyRing } from '../../../eventstore/keys.ts'
import { type Log, openLog } from '../../../eventstore/log.ts'
import { createCaughtUp } from '../../../projections/engine/caught-up.ts'
import { livePositions } from '../../../projections/engine/checkpoints.ts'
import { compareWithTables, foldOfLog } from '../../support/fold-of-log.ts'
import { testDatabase } from '../../support/postgres.ts'
import { appTemplate } from '../../support/templates/app.ts'
import { drilled, writeUntil } from '../projector-load.ts'
import { type EngineChild, startEngine } from './engine-child.ts'
import { KnownLog } from './known-log.ts'
import { killRebuilds } from './rebuild-seams.ts'

const WRITERS = 2
/** The log stays short enough to be folded after every kill. */
const BETWEEN_APPENDS_MS = 1_000
const DIES_WITHIN_MS = 120_000
const CATCH_UP_MS = 120_000

/** Of a batch of a projector: what can be between its first statement and its answer. */
const BEGUN = 'begin(; set local [a-z_]+ = \\w+)* ; update app\\.projection_checkpoint c set step'
const BATCH = [
  `^after ${BEGUN}[^;]*$`,
  `^after ${BEGUN}.*insert into "?p_[^;]*$`,
  `^before ${BEGUN}.*insert into "?p_.* ; commit$`,
  `^after ${BEGUN}.*insert into "?p_.* ; commit$`,
  '^after update app\\.projection_checkpoint c set step[^;]*$',
]

/**
 * `kills`: by what the process was about to do. `points`: different ones at which one died. `wrong`: rows that were no
 * fold of the log up to their checkpoint.
 */
export type EngineSeams = {
  kills: Record<string, number>
  rebuilds: number
  points: number
  events: number
  wrong: string[]
}

type Rig = { child: EngineChild; pool: pg.Pool; log: Log; codec: Codec; known: KnownLog }
/** How many in a projector, and how many in each part of a rebuild. */
type Kills = { projector: number; rebuild: number }

/**
 * Kills projectors and rebuilds at every seam; after each, what readers see is the fold of the log at its checkpoint.
 */
export async function engineSeams(kills: Kills): Promise<EngineSeams> {
  const [logs, app] = await Promise.all([testDatabase(), testDatabase({ template: appTemplate })])
  try {
    return await withRig(logs.config, app.config, (rig) => killAtSeams(rig, kills))
  } finally {
    await Promise.all([logs.drop(), app.drop()])
  }
}

async function withRig<T>(logs: pg.ClientConfig, database: pg.ClientConfig, work: (rig: Rig) => Promise<T>) {
  const server = await startLogServer({ database: logs })
  const log = openLog({ connectionString: server.connectionString })
  const pool = new pg.Pool(database)
  // Connections of an ended pool may still be closing when Postgres stops.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const masterKey = randomBytes(32)
  const codec = createCodec(createKeyRing(pool, masterKey))
  const child = { log: server.connectionString, table: logs, database, masterKey: masterKey.toString('hex') }
  try {
    return await work({ child, pool, log, codec, known: new KnownLog(log, codec) })
  } finally {
    await log.close()
    await server.stop()
    await pool.end()
  }
}

async function killAtSeams(rig: Rig, kills: Kills): Promise<EngineSeams> {
  const points = new Set<string>()
  const wrong: string[] = []
  const count: Record<string, number> = {}
  const died = async (doing: string, point: string) => {
    count[doing] = (count[doing] ?? 0) + 1
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
    for (let kill = 0; kill < kills.projector; kill++) await died('projector', await killedProjector(rig, kill))
    const rebuilds = await killRebuilds(rig.child, kills.rebuild, died)
    stopped = true
    const events = (await Promise.all(writers)).reduce((sum, count) => sum + count, 0)
    wrong.push(...(await compareAll(rig)))
    return { kills: count, rebuilds, points: points.size, events, wrong }
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
  if (!point) throw new Error(`The projector did not pass ${at}: ${engine.output()}`)
  return point
}

/** Rows of each live read model against a fold of the log up to its own checkpoint, all at one moment. */
async function compareAtCheckpoints({ pool, log, known }: Rig): Promise<string[]> {
  const db = await pool.connect()
  try {
    await db.query('begin isolation level repeatable read')
    const live = await livePositions(db, await log.id())
    await known.readOn()
    const wrong: string[] = []
    for (const projection of drilled) {
      const position = live.get(projection.name)
      if (position === undefined) continue
      wrong.push(...(await compareWithTables(db, [projection], await known.foldOf(projection, position))))
    }
    await db.query('commit')
    return wrong
  } finally {
    db.release()
  }
}

/** A last rebuild of each, and a projector that catches up: everything equals the fold of the whole log. */
async function compareAll(rig: Rig): Promise<string[]> {
  const { child, pool, log, codec } = rig
  const projector = startEngine(child)
  try {
    const names = drilled.map(({ name }) => name)
    await startEngine({ ...child, rebuild: names }).ended
    if (!(await createCaughtUp(pool, log)(await log.head(), names, CATCH_UP_MS))) throw new Error('No catching up.')
    return await compareWithTables(pool, drilled, await foldOfLog(log, codec, drilled))
  } finally {
    await projector.kill()
  }
}
