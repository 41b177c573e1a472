import { expect, test } from 'vitest'
import { formDrill } from './form-drill.ts'

test('what is typed into a report and a message is on the page in every harm, with and without script', async () => {
  const { cases, fields, lost } = await formDrill({ pages: ['report', 'chat'] })
  expect({ cases, lost }).toEqual({ cases: 20, lost: [] })
  expect(fields).toBeGreaterThan(20)
})
