import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Position, START } from '../../domain/shared/recorded.ts'
import { RebuildRunning } from '../../projections/engine/care/rebuild-lock.ts'
import { listTargets } from '../../projections/engine/checkpoints.ts'
import { PartLost } from '../../projections/engine/fill/parts.ts'
import { type RebuildDeps, rebuild } from '../../projections/engine/rebuild.ts'
import { findHome } from '../../projections/engine/targets.ts'
import { sealedCards } from '../bench/rebuild-model.ts'
import { bundled } from '../support/programs/bundled.ts'
import { until } from '../support/until.ts'
import { type EngineRig, member, startEngineRig } from './engine-rig.ts'
import type { FillOrder } from './fill-child.ts'

// Each starts processes of its own, one after the other.
vi.setConfig({ testTimeout: 240_000 })

const CHILD = fileURLToPath(new URL('./fill-child.ts', import.meta.url))
const module = new URL('../bench/rebuild-model.ts', import.meta.url).href
const MEMBERS = 24
const EVENTS_EACH = 60
const PATIENCE_MS = 60_000

let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
  for (let n = 0; n < MEMBERS; n++) {
    const one = member(`card${n}`)
    const bios = Array.from(
      { length: EVENTS_EACH },
      (_, turn) => ({ type: 'BioChanged', bio: `b${turn}`, turn }) as const,
    )
    await rig.append(
      `profile-${one}`,
      ...bios.map(({ type, bio, turn }) => ({ type, bio, member: one, at: new Date(turn) }) as const),
    )
  }
})
afterEach(() => rig.stop())

const deps = (more: Partial<RebuildDeps> = {}): RebuildDeps => {
  const { log, codec, keys, pool, logDatabase: table } = rig
  return { log, codec, keys, pool, table, signal: new AbortController().signal, ...more }
}
const sharing = () => ({ parts: 2, masterKey: rig.masterKey, database: rig.config, module })

function startFilling(more: Pick<FillOrder, 'parts' | 'standAt'>) {
  const { connectionString: log, config: app, logDatabase: table, masterKey } = rig
  const order: FillOrder = { log, app, table, masterKey: masterKey.toString('hex'), module, ...more }
  return spawn(process.execPath, [bundled(CHILD), JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'inherit'] })
}

const killed = async (child: ReturnType<typeof startFilling>) => {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  expect((await gone)[1]).toBe('SIGKILL')
}

/** Until the lock of the dead one is free. */
const goOn = (more: Partial<RebuildDeps>) =>
  until(
    'it resumes',
    () =>
      rebuild(deps(more), sealedCards).catch((error: unknown) => {
        if (error instanceof RebuildRunning) return null
        throw error
      }),
    PATIENCE_MS,
  )

const fillingPosition = async () =>
  (await listTargets(rig.pool, sealedCards.name)).find(({ state }) => state === 'filling')?.position ?? START

/** The second part finds its position locked, so the filling stands half done until `release`. */
async function halfDone(): Promise<{ release: () => Promise<void>; first: () => Promise<Position> }> {
  const home = await findHome(rig.pool, rig.log, sealedCards)
  if (home.do !== 'fill') throw new Error('no tables to fill')
  const { name, version, generation } = home.target
  await rig.pool.query(
    `insert into app.projection_part (name, version, generation, part, parts, position)
     select $1, $2, $3, part, 2, $4 from generate_series(0, 1) part`,
    [name, version, generation, START],
  )
  const holder = new pg.Client(rig.config)
  await holder.connect()
  await holder.query('begin; select from app.projection_part where part = 1 for update')
  return {
    release: () => holder.end(),
    first: async () =>
      (await rig.pool.query<{ position: Position }>('select position from app.projection_part where part = 0')).rows[0]!
        .position,
  }
}

test('a filling that is killed half way resumes at its last write, and its rows are a fold of the log', async () => {
  const child = startFilling({ parts: 0, standAt: 800 })
  await once(child.stdout!, 'data')
  await killed(child)
  const left = await fillingPosition()
  expect([left > START, left < (await rig.log.head())]).toEqual([true, true])
  const from: string[] = []
  const done = await goOn({ onProgress: (progress) => from.push(progress.from) })
  expect(done).toMatchObject({ swapped: true, generation: 1 })
  expect(from[0]).toBe(left)
  expect(await rig.wrongRows([sealedCards])).toEqual([])
})

test('a filling that is killed with its workers half way resumes at the position of each', async () => {
  const { release, first } = await halfDone()
  const child = startFilling({ parts: 2, standAt: Number.MAX_SAFE_INTEGER })
  await until('one part has written', async () => (await first()) > START, PATIENCE_MS)
  await killed(child)
  await release()
  expect(await fillingPosition()).toBe(START)
  let events = 0
  await goOn({ sharing: sharing(), onProgress: ({ done }) => (events = done) })
  expect(events).toBeLessThan(MEMBERS * EVENTS_EACH)
  expect(await rig.wrongRows([sealedCards])).toEqual([])
})

test('a worker that loses its connection ends the filling with what to do, and nothing is lost', async () => {
  const { release, first } = await halfDone()
  const filling = rebuild(deps({ sharing: sharing(), writeEveryMs: -1 }), sealedCards)
  filling.catch(() => undefined)
  await until('one part has written', async () => (await first()) > START, PATIENCE_MS)
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like 'update app.projection_part%'`
  await until('the other was cut off', async () => (await rig.pool.query(cut)).rowCount, PATIENCE_MS)
  await expect(filling).rejects.toThrow(PartLost)
  await expect(filling).rejects.toThrow('The same command resumes from there.')
  await release()
  expect(await goOn({ sharing: sharing() })).toMatchObject({ swapped: true, generation: 1 })
  expect(await rig.wrongRows([sealedCards])).toEqual([])
})

test('a worker that ends without a word ends the filling too', async () => {
  const dying = { ...sharing(), module: 'data:text/javascript,process.exit(3)' }
  await expect(rebuild(deps({ sharing: dying }), sealedCards)).rejects.toThrow('its worker ended')
  expect(await goOn({ sharing: sharing() })).toMatchObject({ swapped: true })
  expect(await rig.wrongRows([sealedCards])).toEqual([])
})
