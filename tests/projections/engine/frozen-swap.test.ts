import { afterEach, beforeEach, expect, test } from 'vitest'
import { swapIn } from '../../../projections/engine/swap.ts'
import { findHome } from '../../../projections/engine/targets.ts'
import { tallies } from '../../support/toy-projections.ts'
import { appendLoad, type EngineRig, startEngineRig } from '../engine-rig.ts'

const TAKEN_OVER_MS = 20_000
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

test('a process that is stopped in a swap keeps live from its work no longer than one in a batch', async () => {
  const projector = rig.project([tallies])
  await projector.start()
  await appendLoad(rig, 1)
  await projector.waitFor(await rig.log.head(), undefined, 10_000)
  const { target } = (await findHome(rig.pool, rig.log, tallies, { again: true })) as unknown as { target: never }
  await rig.pool.query(
    `update app.projection set epoch = (select epoch from app.projection where state = 'live') where state = 'filling'`,
  )
  let resume = () => {}
  const stopped = new Promise<void>((resolve) => {
    resume = resolve
  })
  let begun = () => {}
  const reached = new Promise<void>((resolve) => {
    begun = resolve
  })
  const swap = swapIn(rig.pool, tallies, target, () => {
    begun()
    return stopped
  }).catch(() => undefined)
  await reached
  await appendLoad(rig, 1, 'later')
  const caughtUp = await projector.waitFor(await rig.log.head(), undefined, TAKEN_OVER_MS)
  resume()
  await swap
  expect(caughtUp).toBe(true)
})
