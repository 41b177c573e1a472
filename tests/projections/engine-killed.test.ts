import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { START } from '../../domain/shared/recorded.ts'
import { RebuildRunning } from '../../projections/engine/care/rebuild-lock.ts'
import { listTargets } from '../../projections/engine/checkpoints.ts'
import { type RebuildDeps, rebuild } from '../../projections/engine/rebuild.ts'
import { sealedCards } from '../bench/rebuild-model.ts'
import { bundled } from '../support/programs/bundled.ts'
import { until } from '../support/until.ts'
import { type EngineRig, member, startEngineRig } from './engine-rig.ts'
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

test('a filling that is killed half way resumes at its last write, and its rows are a fold of the log', async () => {
  const child = startFilling({ standAt: 800 })
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
