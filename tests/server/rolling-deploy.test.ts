import { afterEach, beforeEach, expect, test } from 'vitest'
import { withRebuildLock } from '../../projections/engine/care/rebuild-lock.ts'
import type { Projector } from '../../projections/engine/engine.ts'
import { projectorState } from '../../server/projector-state.ts'
import { appendLoad, type EngineRig, startEngineRig } from '../projections/engine-rig.ts'
import { lines, tallies } from '../support/toy-projections.ts'
import { until } from '../support/until.ts'

const PATIENCE_MS = 30_000
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** For example `ready tallies:outdated lines`, as `/readyz` has it. */
function stateOf(projector: Projector): string {
  const { ready, detail = [] } = projectorState(projector.status())
  const models = detail.map(({ name, filling, outdated }) => {
    return `${name}${filling ? ':filling' : ''}${outdated ? ':outdated' : ''}`
  })
  return [ready ? 'ready' : 'not ready', ...models].join(' ')
}
const reaches = (projector: Projector, words: string) => until(words, () => stateOf(projector) === words, PATIENCE_MS)

async function deploy() {
  let ahead = 0
  const old = rig.project([tallies, lines], { now: () => new Date(Date.now() + ahead) })
  await old.start()
  await appendLoad(rig, 2)
  expect(await old.waitFor(await rig.log.head(), undefined, PATIENCE_MS)).toBe(true)
  const next = rig.project([
    { ...tallies, version: 2 },
    { ...lines, version: 2 },
  ])
  return { old, next, laterBy: (ms: number) => (ahead = ms) }
}

test('while new versions fill, one after the other, the old process is ready and the new one is not', async () => {
  const { old, next } = await deploy()
  await withRebuildLock(rig.pool, 'lines', async () => {
    await next.start()
    await reaches(next, 'not ready tallies lines:filling')
    await appendLoad(rig, 2, 'meanwhile')
    await reaches(old, 'ready tallies:outdated lines')
    expect(await old.waitFor(await rig.log.head(), undefined, PATIENCE_MS)).toBe(true)
  })
  await reaches(next, 'ready tallies lines')
  await appendLoad(rig, 2, 'after')
  await reaches(old, 'ready tallies:outdated lines:outdated')
})

test('a process of older code is no longer ready when nobody feeds the newer tables', async () => {
  const { old, next, laterBy } = await deploy()
  await next.start()
  await reaches(next, 'ready tallies lines')
  await appendLoad(rig, 2, 'fed')
  await reaches(old, 'ready tallies:outdated lines:outdated')
  await next.stop()
  await appendLoad(rig, 1, 'unfed')
  laterBy(60_000)
  await reaches(old, 'not ready tallies:outdated lines:outdated')
})
