import { expect, test } from 'vitest'
import { createChance } from '../../../server/demo/random.ts'
import { createAccounts } from './accounts.ts'
import { AT_ONCE, createTarget, PRODUCT, publishedAt } from './target.ts'
import { lookFor, type Row, SEED, tooNear } from './whereabouts.ts'

const bareOf = (rows: readonly Row[], what: string) =>
  rows.filter((row) => row.what.startsWith(what)).map(({ bare }) => bare.p50)

test('one account, three or twenty read off exactly the cell that is published', () => {
  for (let n = 0; n < 30; n++) {
    const chance = createChance(SEED + n)
    const target = createTarget(PRODUCT, chance)
    target.report({ x: 0, y: 0 }, 0)
    for (const count of [1, 3, 20])
      expect(createAccounts(target, count, chance).look(60)).toEqual(target.plane.toPlane(publishedAt(target, 60)))
  }
})

test('whoever stands still, walks, commutes or lives near a corner is found by no number of accounts', () => {
  const rows = lookFor(PRODUCT, { members: 100, days: 4, steps: 300, seed: SEED })
  expect(tooNear(rows)).toEqual([])
  expect(new Set(rows.map(({ accounts }) => accounts))).toEqual(new Set([1, 3, 20]))
  expect(new Set(rows.map(({ what }) => what)).size).toBe(9)
})

test('the same accounts find who walks or lives near a corner where cells change at once on a grid they know', () => {
  const rows = lookFor(AT_ONCE, { members: 40, days: 10, steps: 600, seed: SEED })
  const found = [...bareOf(rows, 'a walk'), ...bareOf(rows, 'at home within 50 m of a corner')]
  expect(found).toHaveLength(12)
  expect(Math.max(...found)).toBeLessThan(90)
})
