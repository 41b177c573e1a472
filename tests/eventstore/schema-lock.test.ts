import { expect, test } from 'vitest'
import { z } from 'zod'
import { personal } from '../../domain/shared/personal.ts'
import { released, schemaHash } from '../../server/tools/events/released.ts'
import { schemaLock } from '../support/golden.ts'

const lock = schemaLock()

test.each(released)('$name is what was released', ({ name, schema }) => {
  expect(lock[name], 'a new version is locked by UPDATE_GOLDEN=1').toBeDefined()
  expect(schemaHash(schema), 'a released version never changes: add a version').toBe(lock[name])
})

test('no released version disappears', () => {
  expect(Object.keys(lock).sort()).toEqual(released.map(({ name }) => name).sort())
})

test('the lock notices a field, its form, its date and its seal', () => {
  const member = z.string()
  const forms = [
    z.object({ member, text: z.string() }),
    z.object({ member, text: z.string().optional() }),
    z.object({ member, text: z.string().max(3) }),
    z.object({ member, text: z.coerce.date() }),
    z.object({ member, text: z.string(), more: z.string() }),
    z.object({ member, text: personal('member', z.string()) }),
    z.object({ member, other: z.string(), text: personal('other', z.string()) }),
  ]
  expect(new Set(forms.map(schemaHash)).size).toBe(forms.length)
})
