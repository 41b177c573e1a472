import { expect, test } from 'vitest'
import { INTEREST_GROUPS } from '../../app/ui/profile/interest-groups.ts'
import { INTERESTS } from '../../domain/profile/choices.ts'

test('each listed interest stands in exactly one group', () => {
  const grouped = INTEREST_GROUPS.flatMap(({ interests }) => interests)
  expect([...grouped].sort()).toEqual([...INTERESTS].sort())
})
