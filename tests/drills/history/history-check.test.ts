import { expect, test } from 'vitest'
import { historyCheck } from './run.ts'

test('the answers to six workers fit what is there, with the product killed in between', async () => {
  const result = await historyCheck({ operations: 200, members: 6, kills: 1 })
  expect(result.ok).toBeGreaterThan(30)
  expect(result.looks).toBeGreaterThan(20)
  expect(result).toMatchObject({ kills: 1, anomalies: [], wrong: [] })
})
