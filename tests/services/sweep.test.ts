import { expect, test } from 'vitest'
import { sweepableOf } from '../../services/sweep.ts'

test('every service that can forget is swept, and no other', () => {
  const sweep = async () => 0
  const services = {
    one: { sweep, find: async () => null },
    two: { find: async () => null },
    three: () => 3,
    four: null,
  }
  expect(Object.keys(sweepableOf(services))).toEqual(['one'])
})
