import { expect, test } from 'vitest'
import type { Position } from '../../domain/shared/recorded.ts'
import { memberModels, modelsShowing } from '../../projections/all-projections.ts'
import { RecentWrites } from '../../server/waiting/recent-writes.ts'

const at = (number: number) => String(number).padStart(13, '0') as Position

test('what operators alone read counts where nothing else shows an event', () => {
  expect(modelsShowing(['MessageSent'])).toContain('conversations')
  expect(modelsShowing(['MessageSent'])).not.toContain('histories')
  expect(modelsShowing(['FieldsRevealed'])).toEqual(['histories'])
  expect(modelsShowing([])).toEqual([])
  expect(memberModels).not.toContain('reports')
})

test('the models of a write are known until many others came, and then all count', () => {
  const writes = new RecentWrites(2)
  writes.note(at(1), ['conversations'])
  writes.note(at(2), ['profiles'])
  expect(writes.modelsAt(at(1))).toEqual(['conversations'])
  writes.note(at(3), [])
  expect(writes.modelsAt(at(1))).toEqual(memberModels)
  expect(writes.modelsAt(at(3))).toEqual([])
})
