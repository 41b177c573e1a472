import { expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { createLimits } from '../../../services/limits/limits.ts'
import { createPositions } from '../../../services/nearby/positions.ts'
import { randomId } from '../../../services/random-id.ts'
import { appDatabase, GRID_KEY, MASTER_KEY, testClock } from '../support/app.ts'

const app = appDatabase()
const FAR_APART = [
  { lat: 52.5163, lng: 13.3777 },
  { lat: -33.87, lng: 151.21 },
  { lat: 37.77, lng: -122.42 },
  { lat: -34.6, lng: -58.38 },
]
const FORGOT_LATELY = { ok: false, reason: 'forgot-lately', retryInMs: expect.any(Number) }

function start() {
  const { db } = app
  const options = { db, now: testClock(), masterKey: MASTER_KEY, gridKey: GRID_KEY, limits: createLimits({ db }) }
  return { positions: createPositions(options), ann: randomId() as MemberId, bea: randomId() as MemberId }
}

test.each(['accept', 'setTown'] as const)(
  'where nothing is kept a location is set three times a day: %s',
  async (way) => {
    const { positions, ann, bea } = start()
    for (const [n, location] of FAR_APART.entries()) {
      expect(await positions[way](ann, location)).toEqual(n < 3 ? { ok: true, moved: true } : FORGOT_LATELY)
      await positions.remove(ann)
    }
    expect(await positions.findKept(ann)).toBeNull()
    expect(await positions[way](bea, FAR_APART[0]!)).toMatchObject({ ok: true })
  },
)

test('a location that follows another, or is none, is not counted', async () => {
  const { positions, ann } = start()
  for (let n = 0; n < 5; n++) expect(await positions.accept(ann, { lat: 91, lng: 0 })).toMatchObject({ ok: false })
  await positions.accept(ann, FAR_APART[0]!)
  for (let n = 0; n < 5; n++) await positions.accept(ann, FAR_APART[0]!)
  await positions.remove(ann)
  expect(await positions.accept(ann, FAR_APART[1]!)).toMatchObject({ ok: true })
  await positions.remove(ann)
  expect(await positions.accept(ann, FAR_APART[2]!)).toMatchObject({ ok: true })
})

test('forgetting and setting at once gets nobody to more locations', async () => {
  const { positions, ann } = start()
  const sent = Array.from({ length: 40 }, async (_, n) => {
    const verdict = await positions.accept(ann, FAR_APART[n % 4]!)
    await positions.remove(ann)
    return verdict
  })
  const verdicts = await Promise.all(sent)
  expect(verdicts.filter((verdict) => verdict.ok && verdict.moved).length).toBeLessThanOrEqual(3)
  expect(verdicts).toContainEqual(FORGOT_LATELY)
})
