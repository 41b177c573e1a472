import { expect, test } from 'vitest'
import { eventsByCategory } from '../../domain/all-events.ts'
import { hasState } from '../../projections/history/state.ts'

test('every kind of stream is folded for auditors by its decider, whose category it has', () => {
  const unknown = Object.keys(eventsByCategory).filter((category) => !hasState(`${category}-any`))
  expect(unknown).toEqual([])
})
