import { expect, test } from 'vitest'
import { statesBy } from '../../../server/waiting/role-states.ts'

test('a process whose reactors stand before a type of a later release is not ready', async () => {
  const shown = { isShown: () => true } as Parameters<typeof statesBy>[1]
  const statesOf = (outgrown: boolean) => statesBy(async () => [], shown, null, null, { outgrown: () => outgrown })()
  expect(await statesOf(false)).toEqual([])
  expect(await statesOf(true)).toEqual([{ role: 'reactors', ready: false }])
})
