import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { createCodec } from '../../../eventstore/codec.ts'
import { createKeyRing } from '../../../eventstore/keys.ts'
import { pauseProjection, resumeProjection } from '../../../projections/engine/care/pause.ts'
import { RebuildRunning } from '../../../projections/engine/care/rebuild-lock.ts'
import { createCaughtUp } from '../../../projections/engine/caught-up.ts'
import { listTargets } from '../../../projections/engine/checkpoints.ts'
import { type RebuildDeps, type Rebuilt, rebuild } from '../../../projections/engine/rebuild.ts'
import type { Projection } from '../../../projections/projection.ts'
import { loadConfig } from '../../../server/config.ts'
import { quiet } from '../../../services/quiet-pool.ts'
import { type Canaries, createCanaries, fillEverything } from '../../server/erasure/canaries.ts'
import { onSyncedServer } from '../../support/postgres.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { startLogProcess } from '../log-child.ts'
import { codeOf } from './code.ts'
import { eraseAmongReleases, poisonHers } from './erase.ts'
import { compareReleases } from './expected.ts'
import { Fleet } from './fleet.ts'
import { kinds, PAUSE_MS, poisonEverywhere, type Written, writeAmongMany } from './load.ts'

/** A third of the members. */
export const KEYS_IN_MEMORY = 500
/** A row in memory takes about 800 bytes, as the engine counts: some 500 rows of all read models together. */
const BYTES_IN_MEMORY = 500 * 800
const WRITERS = 3
const CATCH_UP_MS = 120_000
const DEPLOYED_MS = 120_000

/**
 * `releases`: of the code, one deployed after the other; `deaths`: of processes of each while it is deployed, two at most. `handovers`:
 * kills after which others take a process' leases, two of them in any case. `synced`: Postgres waits for the disk. `pauseMs`: between two
 * turns of a writer.
 */
export type DeployOptions = {
  releases: number
  deaths: number
  handovers: number
  synced: boolean
  pauseMs?: number
  print?: (text: string) => void
}

/**
 * `wrong`: rows that are no fold of the log at their checkpoint; `missing`: read models that set aside less or more than their poison;
 * `early`: certificates while a read model was paused; `found`: places with a word of the erased member.
 */
export type DeployResult = {
  fsync: string
  kills: number
  handovers: number
  leases: number
  releases: number
  rebuilt: number
  events: number
  rows: number
  quarantined: number
  wrong: string[]
  missing: string[]
  early: number
  certificates: number
  canaries: number
  found: string[]
}

export type Rig = { world: World; pool: pg.Pool; fleet: Fleet; to: Written; limits: RebuildDeps; result: DeployResult }

/**
 * Deploys releases of the code one after the other, under load, each with poison of its own in every stream, while whoever feeds the
 * read models is killed again and again; then makes all anew, and erases a member.
 */
export function deployKillDrill({ synced, ...options }: DeployOptions): Promise<DeployResult> {
  return synced ? onSyncedServer(() => onWorld(options)) : onWorld(options)
}

type Plan = Omit<DeployOptions, 'synced'>

async function onWorld(plan: Plan): Promise<DeployResult> {
  const roles = new Set([...loadConfig({}).roles].filter((role) => role !== 'projector' && role !== 'reactors'))
  // Of its own: comparing keeps this one busy.
  const startLog = async ({ database }: { database: pg.ClientConfig }) => {
    const { connectionString, kill } = await startLogProcess(database, 0)
    return { connectionString, stop: kill }
  }
  const world = await startWorld({ web: false, config: { roles }, startLog })
  const pool = quiet(new pg.Pool({ ...world.stores.database, max: 16 }))
  pool.on('connect', (client) => client.on('error', () => undefined))
  const fleet = new Fleet(pool, {
    log: world.stores.log,
    database: world.stores.database,
    table: world.logDatabase,
    masterKey: world.secrets.masterKey.toString('hex'),
    keysInMemory: KEYS_IN_MEMORY,
    bytesInMemory: BYTES_IN_MEMORY,
  })
  try {
    return await deployAll(rigOf(world, pool, fleet), plan)
  } finally {
    await fleet.stop()
    await pool.end()
    await world.stop()
  }
}

async function deployAll(
  rig: Rig,
  { releases, deaths, handovers, pauseMs = PAUSE_MS, print }: Plan,
): Promise<DeployResult> {
  const { world, pool, fleet, to, result } = rig
  result.fsync = (await pool.query<{ fsync: string }>('show fsync')).rows[0]!.fsync
  await fleet.start(1)
  await fleet.start(1)
  const canaries = createCanaries()
  const friend = await world.member('Bea')
  const who = await fillEverything(world, friend, canaries)
  let stopped = false
  const writers = Array.from({ length: WRITERS }, (_, writer) => writeAmongMany(to, () => stopped, writer, pauseMs))
  try {
    for (let release = 1; release <= releases; release++) {
      if (release > 1) await deploy(rig, release, deaths)
      if (release === releases) await makeAnew(rig, release)
      await poison(rig, release, who, friend, canaries)
      if (release === 1) await pauseProjection(pool, 'histories')
      const kills = Math.ceil((handovers * release) / releases) - fleet.counted.handovers
      for (let kill = 0; kill < kills; kill++) {
        await pause(randomInt(500))
        await fleet.killHolder()
      }
      await compared(rig)
      print?.(`release ${release}: ${JSON.stringify(fleet.counted)}, ${result.wrong.length} wrong`)
    }
    await eraseAmongReleases(rig, who, canaries)
    stopped = true
    result.events = (await Promise.all(writers)).reduce((sum, count) => sum + count, 0)
    await caughtUp(rig)
    await compared(rig)
    return { ...result, ...fleet.counted }
  } finally {
    stopped = true
    await Promise.allSettled(writers)
  }
}

function rigOf(world: World, pool: pg.Pool, fleet: Fleet): Rig {
  const keys = createKeyRing(pool, world.secrets.masterKey, KEYS_IN_MEMORY)
  const codec = createCodec(keys)
  const { log } = world.core
  const { signal } = new AbortController()
  const limits = { log, codec, keys, pool, table: world.logDatabase, signal, bytesInMemory: BYTES_IN_MEMORY }
  const result: DeployResult = {
    fsync: '',
    kills: 0,
    handovers: 0,
    leases: 0,
    releases: 1,
    rebuilt: 0,
    events: 0,
    rows: 0,
    quarantined: 0,
    wrong: [],
    missing: [],
    early: 0,
    certificates: 0,
    canaries: 0,
    found: [],
  }
  return { world, pool, fleet, to: { log, codec }, limits, result }
}

/** The next release beside the one before, of both of which some die on the way. */
async function deploy({ pool, fleet, result }: Rig, release: number, deaths: number): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    await fleet.start(release)
    if (turn < deaths) {
      await pause(randomInt(700))
      await fleet.killOf(release)
      await fleet.start(release)
    }
    await pause(randomInt(700))
    await fleet.killOf(release - 1)
  }
  const wanted = codeOf(release)
  const isLive = async () => {
    const live = (await listTargets(pool)).filter(({ state }) => state === 'live')
    return wanted.every(({ name, version }) => live.some((one) => one.name === name && one.version === version))
  }
  await until(`release ${release} is live`, isLive, DEPLOYED_MS)
  result.releases = release
}

/** All read models beside live ones, while whoever feeds those is killed; of one the new tables are left. */
async function makeAnew({ fleet, limits, result }: Rig, release: number): Promise<void> {
  const code = codeOf(release)
  const [done] = await Promise.all([Promise.all(code.map((one) => madeAnew(limits, one))), fleet.killHolder()])
  for (const { name, swapped, verdict } of done)
    if (!swapped || verdict?.same === false) result.wrong.push(`${name} was made anew and differs`)
  result.rebuilt = done.length
  await madeAnew(limits, code.find(({ name }) => name === 'profiles')!, false)
}

/** Once nobody else is at it: who has just made it live, or died there. What is paused has nothing to be compared with. */
function madeAnew(limits: RebuildDeps, projection: Projection, swap = true): Promise<Rebuilt> {
  const made = () =>
    rebuild(limits, projection, { swap, whatever: projection.name === 'histories' }).catch((error: unknown) => {
      if (error instanceof RebuildRunning) return null
      throw error
    })
  return until(`${projection.name} is made anew`, made, DEPLOYED_MS)
}

/** In every stream; then in hers, with words of hers. Each read model sets aside what it reads of them. */
async function poison(rig: Rig, release: number, who: Person, friend: Person, canaries: Canaries): Promise<void> {
  const { pool, to, result } = rig
  await poisonEverywhere(to, release)
  await poisonHers(to, release, who, friend, canaries)
  await caughtUp(
    rig,
    codeOf(release)
      .map(({ name }) => name)
      .filter((name) => release === 1 || name !== 'histories'),
  )
  await notSetAside(pool, release, release > 1).then((missing) => result.missing.push(...missing))
  const { rows } = await pool.query<{ count: number }>('select count(*)::integer from app.quarantine')
  result.quarantined = Math.max(result.quarantined, rows[0]!.count)
}

/** Read models whose quarantine is not two events of each type that they handle. */
async function notSetAside(pool: pg.Pool, release: number, isPaused: boolean): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; type: string }>(
    `select q.name, q.type from app.quarantine q join app.projection p using (name, version, generation)
     where p.state = 'live' and q.revision < 2`,
  )
  const found = new Map<string, number>()
  for (const { name, type } of rows) found.set(`${name} ${type}`, (found.get(`${name} ${type}`) ?? 0) + 1)
  return codeOf(release).flatMap(({ name, when }) =>
    isPaused && name === 'histories'
      ? []
      : kinds
          .filter(({ type }) => Object.hasOwn(when, type) && (found.get(`${name} ${type}`) ?? 0) < 2)
          .map(({ type }) => `${name} ${type} (release ${release})`),
  )
}

async function caughtUp({ pool, to }: Rig, names = codeOf(1).map(({ name }) => name)): Promise<void> {
  if (!(await createCaughtUp(pool, to.log)(await to.log.head(), names, CATCH_UP_MS)))
    throw new Error('The read models did not catch up.')
}

async function compared({ pool, to, world, result }: Rig): Promise<void> {
  const codec = createCodec(createKeyRing(pool, world.secrets.masterKey))
  const { rows, wrong } = await compareReleases(pool, to.log, codec)
  result.rows = rows
  result.wrong.push(...wrong)
}

/** Resumed, it has all that it missed. */
export async function resumeHistories(rig: Rig): Promise<void> {
  await resumeProjection(rig.pool, 'histories')
  await caughtUp(rig)
}
