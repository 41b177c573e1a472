import { expect, test } from 'vitest'
import { clockDrill } from './clock.ts'
import { faultDrill } from './faults.ts'

test('a member gets honest answers while Postgres stands still and read models are blocked, and nothing is lost', async () => {
  const figures = await faultDrill([
    ['postgres frozen', 2],
    ['projectors blocked', 3],
  ])
  const [frozen, blocked] = figures
  expect(frozen).toMatchObject({ fault: 'postgres frozen', dishonest: 0, lost: 0, doubled: 0, wrong: 0 })
  expect(blocked).toMatchObject({ fault: 'projectors blocked', dishonest: 0, lost: 0, doubled: 0, wrong: 0 })
  expect(blocked!.admittedBehind).toBeGreaterThan(0)
})

test('a disk without space is reported to members, and another hour of the clock is not noticed', async () => {
  const whole = { dishonest: 0, lost: 0, doubled: 0, wrong: 0 }
  const [full, ahead, behind] = await faultDrill([
    ['disk full, simulated', 2],
    ['clock an hour ahead', 2],
    ['clock an hour behind', 2],
  ])
  expect(full).toMatchObject(whole)
  expect(full!.refused).toBeGreaterThan(0)
  for (const moved of [ahead, behind]) expect(moved).toMatchObject({ ...whole, refused: 0 })
})

test('a clock that jumps an hour ahead and back loses, doubles and reorders nothing', async () => {
  expect(await clockDrill({ messages: 5 })).toMatchObject({ refused: [], lost: 0, doubled: 0, outOfOrder: 0 })
})
