import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RebuildRunning } from '../../../projections/engine/care/rebuild-lock.ts'
import { rollback } from '../../../projections/engine/care/tables-by-hand.ts'
import { listTargets } from '../../../projections/engine/checkpoints.ts'
import { rebuild } from '../../../projections/engine/rebuild.ts'
import { appendLoad, type EngineRig, startEngineRig } from '../../projections/engine-rig.ts'
import { lines } from '../../support/toy-projections.ts'
import { until } from '../../support/until.ts'
import { startEngine } from './engine-child.ts'

// Each starts a process of its own.
vi.setConfig({ testTimeout: 240_000 })

const PATIENCE_MS = 30_000
const WRITE = 'begin.*update app\\.projection_checkpoint c set step.* ; commit$'
const SEAMS = {
  'before it has written': `^before ${WRITE}`,
  'while it fills': `^after ${WRITE}`,
  'between its filling and its swap': '^after begin.*analyze .* ; commit$',
  'in its swap': '^before begin.*create view .* ; commit$',
}

let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const states = async () =>
  (await listTargets(rig.pool, 'lines')).map(({ generation, state }) => `${generation} ${state}`)

/** Until Postgres has noticed that the other one is dead. */
const again = <T>(work: () => Promise<T>) =>
  until(
    'the lock of the dead one is free',
    () =>
      work().catch((error: unknown) => {
        if (!(error instanceof RebuildRunning)) throw error
        return null
      }),
    PATIENCE_MS,
  )

for (const [when, at] of Object.entries(SEAMS))
  test(`a rollback that is killed ${when} changes nothing for readers, and the next one ends`, async () => {
    const { log, codec, keys, pool, logDatabase: table, config: database, connectionString } = rig
    const deps = { log, codec, keys, pool, table, signal: new AbortController().signal }
    await appendLoad(rig, 3)
    const projector = rig.project([lines])
    await projector.start()
    await rebuild(deps, lines)
    await appendLoad(rig, 12, 'more')
    const settled = async () => expect(await projector.waitFor(await log.head(), undefined, PATIENCE_MS)).toBe(true)
    await settled()
    const child = {
      log: connectionString,
      table,
      database,
      masterKey: rig.masterKey.toString('hex'),
      rollback: 'lines',
    }
    expect(await startEngine(child, { at, nth: 1 }).ended).not.toBeNull()
    expect(await states()).toEqual(['2 live', '1 retired'])
    expect(await rig.wrongRows([lines])).toEqual([])
    await appendLoad(rig, 3, 'most')
    expect(await again(() => rollback(deps, lines))).toMatchObject({ generation: 1, verdict: { same: true } })
    expect(await states()).toEqual(['2 retired', '1 live'])
    await settled()
    expect(await rig.wrongRows([lines])).toEqual([])
  })
