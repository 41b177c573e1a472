import { expect, test } from 'vitest'
import { ListQuery } from '../../app/api/fields.ts'

test('a list is asked for in parts of one to fifty, from a whole number on', () => {
  for (const [query, parsed] of [
    [{}, {}],
    [{ limit: '1' }, { limit: 1 }],
    [
      { limit: '50', offset: '0' },
      { limit: 50, offset: 0 },
    ],
  ])
    expect(ListQuery.parse(query)).toEqual(parsed)
  for (const query of [{ limit: '0' }, { limit: '51' }, { limit: '1.5' }, { limit: '' }, { offset: '-1' }])
    expect([query, ListQuery.safeParse(query).success]).toEqual([query, false])
})
