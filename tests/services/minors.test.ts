import { expect, test } from 'vitest'
import { createMinors, MINOR_MS } from '../../services/minors.ts'
import { appDatabase, testClock } from './support/app.ts'

const app = appDatabase()
const kim = 'a'.repeat(64)
const held = () => app.db.selectFrom('refused_minor').selectAll().execute()

test('an address is turned away for one day, which another try does not make longer, and then forgotten', async () => {
  const now = testClock()
  const minors = createMinors({ db: app.db, now })
  expect(await minors.isTurnedAway(kim)).toBe(false)
  await minors.turnAway(kim)
  now.pass(MINOR_MS - 1)
  await minors.turnAway(kim)
  expect(await minors.isTurnedAway(kim)).toBe(true)
  expect(await minors.sweep()).toBe(0)
  now.pass(1)
  expect(await minors.isTurnedAway(kim)).toBe(false)
  expect(await minors.sweep()).toBe(1)
  expect(await held()).toEqual([])
  await minors.turnAway(kim)
  expect(await minors.isTurnedAway(kim)).toBe(true)
  expect(Object.keys((await held())[0] ?? {})).toEqual(['email_key', 'expires_at'])
})
