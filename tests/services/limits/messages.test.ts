import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLimits } from '../../../services/limits/limits.ts'
import { randomId } from '../../../services/random-id.ts'
import { appDatabase } from '../support/app.ts'

const app = appDatabase()
// The limiter reads the process's own clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') }))
afterEach(() => void vi.useRealTimers())
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)
const minute = 60_000

async function takeMany(key: string, times: number): Promise<number> {
  const limits = createLimits({ db: app.db })
  let taken = 0
  for (let n = 0; n < times; n++) if ((await limits.take('MSG', key)).ok) taken++
  return taken
}

test('messages have a window of five seconds and one of a minute', async () => {
  const ann = randomId()
  expect(await takeMany(ann, 12)).toBe(10)
  for (let burst = 0; burst < 6; burst++) {
    pass(5_001)
    await takeMany(ann, 10)
  }
  const refused = await createLimits({ db: app.db }).take('MSG', ann)
  expect(refused.ok).toBe(false)
  pass(minute)
  expect(await takeMany(ann, 1)).toBe(1)
})

test('a member sends three thousand messages in a day', async () => {
  const ann = randomId()
  const limits = createLimits({ db: app.db })
  let sent = 0
  for (let at = 0; at < 24 * 60; at++) {
    for (let burst = 0; burst < 6; burst++) {
      if ((await limits.take('MSG', ann, 10)).ok) sent += 10
      pass(6_000)
    }
    if (sent >= 3_000) break
    pass(minute - 36_000)
  }
  expect(sent).toBe(3_000)
  pass(minute)
  const refused = await limits.take('MSG', ann)
  if (refused.ok) throw new Error('One more was sent.')
  expect(refused.retryInMs).toBeGreaterThan(22 * 60 * minute)
  pass(refused.retryInMs + 1)
  expect(await limits.take('MSG', ann)).toEqual({ ok: true })
})

test('the five seconds of messages are counted in memory: the database has the minute and the day', async () => {
  const ann = randomId()
  await takeMany(ann, 1)
  const rows = await app.db.selectFrom('rate').select('key').where('key', 'like', `MSG%${ann}`).execute()
  expect(rows.map(({ key }) => key).sort()).toEqual([`MSG/60:${ann}`, `MSG/86400:${ann}`])
})
