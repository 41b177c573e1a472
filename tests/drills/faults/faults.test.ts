import { expect, test } from 'vitest'
import { clockDrill } from './clock.ts'
import { faultDrill } from './faults.ts'

const isRefusedWrite = (seen: string) => /^write (?!200)/.test(seen)

test('a member gets honest answers while Postgres is frozen, read models are blocked, the disk is full or the clock moves', async () => {
  const whole = { dishonest: 0, lost: 0, doubled: 0, wrong: 0 }
  const [frozen, behind, full, ahead, late] = await faultDrill([
    ['postgres frozen', 1],
    ['projectors blocked', 3],
    ['disk full, simulated', 1],
    ['clock an hour ahead', 1],
    ['clock an hour behind', 1],
  ])
  for (const figures of [frozen, behind, full, ahead, late]) expect(figures).toMatchObject(whole)
  expect(behind!.admittedBehind).toBeGreaterThan(0)
  expect(full!.refused).toBeGreaterThan(0)
  for (const moved of [ahead, late]) expect(Object.keys(moved!.statuses).filter(isRefusedWrite)).toEqual([])
})

test('a clock that jumps an hour ahead and back loses, doubles and reorders nothing', async () => {
  expect(await clockDrill({ messages: 5 })).toMatchObject({ refused: [], lost: 0, doubled: 0, outOfOrder: 0 })
})
