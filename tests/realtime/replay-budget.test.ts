import { expect, test } from 'vitest'
import { ReplayBudget } from '../../realtime/replay-budget.ts'
import { member } from './world.ts'

const MINUTE = 60_000

test('a member gets so many bytes a minute, whatever others get', () => {
  const [ann, bea] = [member('Ann'), member('Bea')]
  const budget = new ReplayBudget(100)
  expect([budget.take(ann, 60, 0), budget.take(ann, 41, 1), budget.take(ann, 40, 2)]).toEqual([true, false, true])
  expect([budget.take(ann, 1, MINUTE - 1), budget.take(bea, 100, MINUTE - 1)]).toEqual([false, true])
  expect([budget.take(ann, 100, MINUTE), budget.take(bea, 1, MINUTE)]).toEqual([true, false])
})
