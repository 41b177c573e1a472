import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifyFilled } from '../../../projections/engine/care/verify.ts'
import type { Target } from '../../../projections/engine/checkpoints.ts'
import { findOrMakeTarget, swapIn } from '../../../projections/engine/targets.ts'
import { tallies } from '../../support/toy-projections.ts'
import { appendLoad, type EngineRig, startEngineRig } from '../engine-rig.ts'

const TAKEN_OVER_MS = 20_000
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** A look at tables that are filled, stopped where it has asked live to wait. */
type Stopped = (target: Target, catchUp: () => Promise<void>) => Promise<unknown>

/** Whether live went on, once a process had stopped. */
async function livesOn(stopIn: Stopped): Promise<boolean> {
  const projector = rig.project([tallies])
  await projector.start()
  await appendLoad(rig, 1)
  await projector.waitFor(await rig.log.head(), undefined, 10_000)
  const { target } = (await findOrMakeTarget(rig.pool, rig.log, tallies, { again: true })) as unknown as {
    target: Target
  }
  await rig.pool.query(
    `update app.projection_checkpoint c set epoch = (select epoch from app.projection where state = 'live')
     from app.projection_target t where (t.name, t.generation) = (c.name, c.generation) and t.state = 'filling'`,
  )
  let resume = () => {}
  const stopped = new Promise<void>((resolve) => {
    resume = resolve
  })
  let begun = () => {}
  const reached = new Promise<void>((resolve) => {
    begun = resolve
  })
  const work = stopIn(target, () => {
    begun()
    return stopped
  }).catch(() => undefined)
  await reached
  await appendLoad(rig, 1, 'later')
  const caughtUp = await projector.waitFor(await rig.log.head(), undefined, TAKEN_OVER_MS)
  resume()
  await work
  return caughtUp
}

test('a process that is stopped in a swap keeps live from its work no longer than one in a batch', async () => {
  expect(await livesOn((target, catchUp) => swapIn(rig.pool, tallies, target, catchUp))).toBe(true)
})

test('neither does one that is stopped while it compares what it filled', async () => {
  const { pool } = rig
  const bringLive = async () => {}
  const compare: Stopped = (target, catchUp) =>
    verifyFilled({ pool, projection: tallies, catchUp, bringLive, payLive: async () => false }, target)
  expect(await livesOn(compare)).toBe(true)
})
