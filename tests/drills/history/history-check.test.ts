import { expect, test } from 'vitest'
import { historyCheck } from './run.ts'

test('the answers to ten workers fit what is there, with the product killed in between', async () => {
  const result = await historyCheck({ operations: 400, members: 10, kills: 1 })
  expect(result.ok).toBeGreaterThan(100)
  expect(result.looks).toBeGreaterThan(50)
  expect(result).toMatchObject({ kills: 1, anomalies: [], wrong: [] })
})
