import { expect, test } from 'vitest'
import { formDrill } from './form-drill.ts'

test('what is typed into the sheet about oneself is kept in every harm, with and without script, and can be sent again', async () => {
  const { cases, kept, accepted, excepted, lost, unsent, leaked, failures } = await formDrill({ pages: ['edit-about'] })
  expect({ cases, kept, accepted, excepted, lost, unsent, leaked, failures }).toEqual({
    cases: 11,
    kept: 11,
    accepted: 11,
    excepted: 3,
    lost: [],
    unsent: [],
    leaked: [],
    failures: [],
  })
})
