import { expect, test } from 'vitest'
import { z } from 'zod'
import { readForm } from '../../app/forms/form.server.ts'
import { CommandId } from '../../app/forms/schemas.server.ts'
import { uuidFrom } from '../../eventstore/ids.ts'

const Asked = z.object({ name: z.string(), interests: z.array(z.string()) })
const read = (fields: readonly (readonly [string, string])[]) => {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return readForm(form, Asked, { name: 'Your name, please.' })
}

test('a form is read by its schema, and what was typed comes back with what is wrong', () => {
  const interests = [
    ['interests', 'Music'],
    ['interests', 'Tea'],
  ] as const
  expect(read([['name', 'Ann'], ...interests])).toEqual({
    ok: true,
    value: { name: 'Ann', interests: ['Music', 'Tea'] },
  })
  expect(read(interests)).toMatchObject({
    reply: { status: 400, fields: { name: 'Your name, please.' }, values: { interests: ['Music', 'Tea'] } },
  })
})

test.each(['interests[4294967294]', 'interests[0].x', 'a.b[99999999]', '__intent__', '__state__'])(
  'a field called %s is no field of a form',
  (name) => {
    expect(
      read([
        ['name', 'Ann'],
        [name, 'x'],
      ]),
    ).toEqual({ ok: true, value: { name: 'Ann', interests: [] } })
  },
)

test('a form brings a random id of its command; one that derives from what others send is replaced', () => {
  const random = crypto.randomUUID()
  expect(CommandId.parse(random)).toBe(random)
  const derived = uuidFrom('read', 'ann', 'bea', 1)
  expect(CommandId.parse(derived)).not.toBe(derived)
})
