import { expect, test } from 'vitest'
import { formDrill } from './form-drill.ts'

test.each(['report', 'edit-about'])(
  'what is typed into %s is kept in every harm, with and without script, and can be sent again',
  async (page) => {
    const { cases, kept, accepted, excepted, lost, unsent, leaked, failures } = await formDrill({ pages: [page] })
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
  },
)
