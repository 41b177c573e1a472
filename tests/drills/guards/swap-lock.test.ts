import { expect, test } from 'vitest'
import type { Position } from '../../../domain/shared/recorded.ts'
import { compareAndSwapCheckpoints, listTargets } from '../../../projections/engine/checkpoints.ts'
import { findOrMakeTarget, swapIn } from '../../../projections/engine/targets.ts'
import { appendLoad, startEngineRig } from '../../projections/engine-rig.ts'
import { tallies } from '../../support/toy-projections.ts'
import { wrong } from '../../support/wrong.ts'

const LOCK_NOT_AVAILABLE = '55P03'

test('while new tables are brought to where the live ones stand, those do not move on', async () => {
  const rig = await startEngineRig()
  try {
    await appendLoad(rig, 1)
    const projector = rig.project([tallies])
    await projector.start()
    await projector.waitFor(await rig.log.head(), undefined, 10_000)
    await projector.stop()
    const live = (await listTargets(rig.pool, 'tallies')).find(({ state }) => state === 'live')!
    const assignment = await findOrMakeTarget(rig.pool, rig.log, tallies, { again: true })
    if (assignment.do !== 'fill') throw new Error('no tables to fill')
    const { target } = assignment
    // As if it had been filled from this log.
    await rig.pool.query(`update app.projection_checkpoint set epoch = $1 where name = 'tallies'`, [live.logId])
    const concurrent = await rig.pool.connect()
    await concurrent.query(`set lock_timeout = '200ms'`)
    let moved: unknown = 'was not tried'
    await swapIn(rig.pool, tallies, target, async (to) => {
      expect(to).toBe(live.position)
      const move = { target: live, to: wrong<Position>(`${to}x`), logId: null, passed: 0, clock: null }
      moved = await compareAndSwapCheckpoints(concurrent, [move]).catch((error: { code: string }) => error.code)
    })
    concurrent.release(true)
    expect(moved).toBe(LOCK_NOT_AVAILABLE)
  } finally {
    await rig.stop()
  }
})
