import { expect, test } from 'vitest'
import { formDrill } from './form-drill.ts'

test('what is typed into a report is on the page in every harm, with and without script', async () => {
  const { cases, fields, lost } = await formDrill({ pages: ['report'] })
  expect({ cases, fields, lost }).toEqual({ cases: 10, fields: 20, lost: [] })
})
