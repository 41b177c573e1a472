import { afterAll, beforeAll, expect, test } from 'vitest'
import { RATES } from '../../../services/limits/rates.ts'
import { skip } from '../../../usecases/pair/skip.ts'
import { undoSkip } from '../../../usecases/pair/undo-skip.ts'
import { startStrictWorld } from '../../support/strict-world.ts'
import type { World } from '../../support/world.ts'
import { as, newCommand } from '../acting.ts'

let world: World
beforeAll(async () => {
  ;({ world } = await startStrictWorld())
})
afterAll(() => world.stop())

test('skips count by the day, one too many is not recorded, and the last one can be taken back', async () => {
  const [ann, cat] = [await world.member('Ann'), await world.member('Cat')]
  const { limits } = world.services
  const acting = { ...as(world, ann), limits }
  await limits.take('SKIP', ann.id, RATES.SKIP.windows[0].points - 2)
  const came: unknown[] = []
  for (const act of [skip, undoSkip, skip, undoSkip, skip])
    came.push((await act(acting, { to: cat.id, commandId: newCommand() })).ok)
  expect(came).toEqual([true, true, true, true, false])
  const recorded = await world.core.log.read(`pair-${[ann.id, cat.id].sort().join('_')}`)
  expect(recorded.map(({ type }) => type)).toEqual(['Skipped', 'SkipUndone', 'Skipped', 'SkipUndone'])
})
