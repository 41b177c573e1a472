import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { START } from '../../domain/shared/recorded.ts'
import { RebuildRunning } from '../../projections/engine/care/rebuild-lock.ts'
import { listTargets } from '../../projections/engine/checkpoints.ts'
import type { FillProgress } from '../../projections/engine/fill/meter.ts'
import { type RebuildDeps, rebuildAll } from '../../projections/engine/rebuild.ts'
import { bundled } from '../support/programs/bundled.ts'
import { toys } from '../support/toy-projections.ts'
import { until } from '../support/until.ts'
import { appendLoad, type EngineRig, member, startEngineRig } from './engine-rig.ts'
import type { FillOrder } from './fill-child.ts'

// Each starts processes of its own, one after the other.
vi.setConfig({ testTimeout: 240_000 })

const CHILD = fileURLToPath(new URL('./fill-child.ts', import.meta.url))
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

function startFilling(more: Pick<FillOrder, 'standAt'>) {
  const { connectionString: log, config: app, logDatabase: table, masterKey } = rig
  const order: FillOrder = { log, app, table, masterKey: masterKey.toString('hex'), ...more }
  return spawn(process.execPath, [bundled(CHILD), JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'inherit'] })
}

const killed = async (child: ReturnType<typeof startFilling>) => {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  expect((await gone)[1]).toBe('SIGKILL')
}

const isRunning = (one: PromiseSettledResult<unknown>) =>
  one.status === 'rejected' && one.reason instanceof RebuildRunning

/** Until the locks of the dead one are free; answers where each went on. */
async function goOn(): Promise<Map<string, string>> {
  const from = new Map<string, string>()
  await until(
    'it resumes',
    async () => {
      const onProgress = (name: string, progress: FillProgress) =>
        void (from.has(name) || from.set(name, progress.from))
      const done = await rebuildAll(deps(), toys, { onProgress })
      if (done.some(isRunning)) return null
      expect(done.map((one) => one.status === 'fulfilled' && one.value)).toMatchObject(
        toys.map(({ name }) => ({ name, swapped: true, generation: 1 })),
      )
      return true
    },
    PATIENCE_MS,
  )
  return from
}

const fillingPositions = async () =>
  new Map(
    (await listTargets(rig.pool))
      .filter(({ state }) => state === 'filling')
      .map(({ name, position }) => [name, position] as const),
  )

test('a pass that is killed half way resumes at the last write of each, and all rows are a fold of the log', async () => {
  await appendLoad(rig, 30)
  const child = startFilling({ standAt: 1_600 })
  await once(child.stdout!, 'data')
  await killed(child)
  const left = await fillingPositions()
  const head = await rig.log.head()
  expect([...left.values()].map((position) => position > START && position < head)).toEqual([true, true, true])
  expect(await goOn()).toEqual(left)
  expect(await rig.wrongRows(toys)).toEqual([])
})
