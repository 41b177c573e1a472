import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  bandOf,
  cellAt,
  DISCOVER_CELL_M,
  distanceBetween,
  MICROBUZZ_CELL_M,
  MICROBUZZ_NEAREST_M,
  metresBetween,
} from '../../../domain/shared/grid.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { createPositions } from '../../../services/nearby/positions.ts'
import { randomId } from '../../../services/random-id.ts'
import { metresFrom, whereSeenAt } from '../../support/locations/own-grid.ts'
import { appDatabase, GRID_KEY, MASTER_KEY, NO_LIMITS, testClock } from '../support/app.ts'

const app = appDatabase()
const member = () => randomId() as MemberId
const start = () => {
  const now = testClock()
  return {
    now,
    ann: member(),
    positions: createPositions({ db: app.db, now, masterKey: MASTER_KEY, gridKey: GRID_KEY, limits: NO_LIMITS }),
  }
}
const BERLIN = { lat: 52.5163, lng: 13.3777 }
const MUNICH = { lat: 48.1374, lng: 11.5755 }
const HOUR = 3_600_000

const location = fc.record({
  lat: fc.double({ min: -89, max: 89, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
})

const seenBy = async (ann: MemberId) => {
  const { rows } = await sql<object>`select * from read.member_cell where member = ${ann}`.execute(app.db)
  return JSON.stringify(rows)
}

test('a location is within its cell, and any location of the cell has the same centre', () => {
  fc.assert(
    fc.property(location, fc.constantFrom(DISCOVER_CELL_M, MICROBUZZ_CELL_M), (at, size) => {
      const cell = cellAt(at, size)
      expect(metresBetween(at, cell)).toBeLessThanOrEqual(size * 0.75)
      expect(cellAt(cell, size)).toEqual(cell)
    }),
  )
})

test('a distance is the same both ways, never below the lowest, and in tenths of a mile', () => {
  fc.assert(
    fc.property(location, location, (a, b) => {
      const [from, to] = [cellAt(a, DISCOVER_CELL_M), cellAt(b, DISCOVER_CELL_M)]
      const distance = distanceBetween(from, to)
      expect(distanceBetween(to, from)).toEqual(distance)
      expect(distance.metres).toBeGreaterThanOrEqual(500)
      expect(distance.miles * 10).toBeCloseTo(Math.round(distance.miles * 10), 6)
    }),
  )
  const cell = cellAt(BERLIN, DISCOVER_CELL_M)
  expect(distanceBetween(cell, cell)).toEqual({ miles: 0.3, metres: 500, band: 'less than 0.5 mi' })
  expect(distanceBetween(cell, cell, MICROBUZZ_NEAREST_M)).toMatchObject({ miles: 0.1, metres: 150 })
  expect(distanceBetween(cell, cellAt(MUNICH, DISCOVER_CELL_M))).toMatchObject({ band: 'less than 500 mi' })
  expect([bandOf(0.5), bandOf(1000)]).toEqual(['less than 1 mi', 'more than 1000 mi'])
})

test('an attacker who asks from everywhere learns the cell and no more', () => {
  const target = cellAt(BERLIN, DISCOVER_CELL_M)
  const askAll = (at: typeof BERLIN) => {
    const cell = cellAt(at, DISCOVER_CELL_M)
    return Array.from({ length: 400 }, (_, n) => {
      const from = { lat: 52 + Math.sin(n) * 0.7, lng: 13.4 + Math.cos(n * 1.3) }
      return distanceBetween(cellAt(from, DISCOVER_CELL_M), cell).miles
    })
  }
  expect(askAll({ lat: target.lat + 0.004, lng: target.lng - 0.006 })).toEqual(askAll(BERLIN))
})

test('moving within a cell changes nothing that others can see', async () => {
  const { now, ann, positions } = start()
  const cell = cellAt(BERLIN, DISCOVER_CELL_M)
  const goTo = (east: number, north: number) =>
    positions.accept(ann, whereSeenAt(metresFrom(cell, east, north), ann, MASTER_KEY))
  await goTo(0, 0)
  const before = await seenBy(ann)
  for (let n = 0; n < 20; n++) {
    now.pass(60_000)
    expect(await goTo(Math.cos(n) * 499, Math.sin(n) * 499)).toEqual({ ok: true, moved: false })
    expect(await seenBy(ann)).toBe(before)
  }
  expect(before).not.toContain(String(BERLIN.lat))
})

test('two positions a minute are accepted, also when they come at once', async () => {
  const { now, ann, positions } = start()
  await positions.accept(ann, BERLIN)
  now.pass(60_000)
  const verdicts = await Promise.all(Array.from({ length: 40 }, () => positions.accept(ann, BERLIN)))
  expect(verdicts.filter(({ ok }) => ok)).toHaveLength(2)
  expect(verdicts.find(({ ok }) => !ok)).toEqual({ ok: false, reason: 'too-often', retryInMs: 60_000 })
  now.pass(60_000)
  expect(await positions.accept(ann, BERLIN)).toMatchObject({ ok: true })
})

test('nobody travels faster than 1,000 km an hour', async () => {
  const { now, ann, positions } = start()
  await positions.accept(ann, BERLIN)
  now.pass(60_000)
  const refused = await positions.accept(ann, MUNICH)
  expect(refused).toMatchObject({ ok: false, reason: 'too-fast' })
  if (refused.ok) return
  expect(await positions.findRaw(ann)).toMatchObject(BERLIN)
  now.pass(refused.retryInMs ?? 0)
  expect(await positions.accept(ann, MUNICH)).toEqual({ ok: true, moved: true })
})

test('a raw position is sealed, lives a day, and leaves its cell', async () => {
  const { now, ann, positions } = start()
  await positions.accept(ann, BERLIN)
  const row = await app.db.selectFrom('position').selectAll().where('member', '=', ann).executeTakeFirstOrThrow()
  const clear = Buffer.alloc(8)
  clear.writeDoubleBE(BERLIN.lat)
  expect(row.sealed?.includes(clear)).toBe(false)
  expect(row.lat).not.toBe(BERLIN.lat)
  const cell = await seenBy(ann)
  now.pass(24 * HOUR)
  expect(await positions.findRaw(ann)).toBeNull()
  expect(await positions.sweep()).toBeGreaterThan(0)
  expect(await seenBy(ann)).toBe(cell)
  await positions.remove(ann)
  expect(await seenBy(ann)).toBe('[]')
})

test('a cell ends thirty days after the last position or town, and whoever comes later begins anew', async () => {
  const { now, ann, positions } = start()
  const bea = member()
  await positions.accept(ann, BERLIN)
  await positions.setTown(bea, BERLIN)
  now.pass(29 * 24 * HOUR)
  await positions.setTown(bea, BERLIN)
  now.pass(24 * HOUR - 1)
  await positions.sweep()
  expect(JSON.parse(await seenBy(ann))).toHaveLength(1)
  now.pass(1)
  expect(await positions.sweep()).toBeGreaterThan(0)
  expect(await seenBy(ann)).toBe('[]')
  expect(await app.db.selectFrom('position').selectAll().where('member', '=', ann).execute()).toEqual([])
  expect(JSON.parse(await seenBy(bea))).toHaveLength(1)
  expect(await positions.accept(ann, MUNICH)).toEqual({ ok: true, moved: true })
})

test('a typed town gives a cell without a raw position', async () => {
  const { now, ann, positions } = start()
  await positions.accept(ann, BERLIN)
  expect(await positions.setTown(ann, { lat: 52.52, lng: 13.41 })).toMatchObject({ ok: true })
  expect(await positions.findRaw(ann)).toBeNull()
  const town = await seenBy(ann)
  expect(JSON.parse(town)).toHaveLength(1)
  now.pass(60_000)
  expect(await positions.accept(ann, { lat: 52.4, lng: 13.05 })).toEqual({ ok: true, moved: true })
  expect(await seenBy(ann)).not.toBe(town)
})

test('a typed town is no way around the speed limit, from it or to it', async () => {
  const { now, ann, positions } = start()
  await positions.setTown(ann, BERLIN)
  const before = await seenBy(ann)
  now.pass(60_000)
  expect(await positions.accept(ann, MUNICH)).toMatchObject({ ok: false, reason: 'too-fast' })
  const refused = await positions.setTown(ann, MUNICH)
  expect(refused).toMatchObject({ ok: false, reason: 'too-fast' })
  expect(await seenBy(ann)).toBe(before)
  now.pass(refused.ok ? 0 : (refused.retryInMs ?? 0))
  expect(await positions.setTown(ann, MUNICH)).toEqual({ ok: true, moved: true })
})

test('two towns a minute are taken, and measured positions count with them', async () => {
  const { ann, positions } = start()
  const verdicts = await Promise.all(
    Array.from({ length: 40 }, (_, n) => (n % 2 ? positions.setTown(ann, BERLIN) : positions.accept(ann, BERLIN))),
  )
  expect(verdicts.filter(({ ok }) => ok)).toHaveLength(2)
})

test('hopping between towns and measured places is no faster than travelling', async () => {
  const { now, ann, positions } = start()
  const from = now().getTime()
  await positions.accept(ann, BERLIN)
  let at = BERLIN
  for (let n = 0; n < 120; n++) {
    now.pass(31_000)
    const next = { lat: at.lat, lng: at.lng + 0.55 }
    const verdict = await (n % 2 ? positions.accept(ann, next) : positions.setTown(ann, next))
    if (verdict.ok) at = next
  }
  const kilometres = metresBetween(BERLIN, at) / 1000
  const most = 20 + ((now().getTime() - from) / HOUR) * 1000
  expect(kilometres).toBeLessThanOrEqual(most)
  expect(kilometres).toBeGreaterThan(most * 0.5)
})

const eastOfBerlin = (kilometres: number) => metresFrom(BERLIN, kilometres * 1000)
const TURNS = [
  ['a measured place', 'accept', 'setTown'],
  ['a town', 'setTown', 'accept'],
] as const

test.each(TURNS)('two hops of 37 km from %s, 31 seconds each, are too fast', async (_from, here, there) => {
  const { now, ann, positions } = start()
  await positions[here](ann, BERLIN)
  now.pass(31_000)
  expect(await positions[there](ann, eastOfBerlin(37))).toMatchObject({ reason: 'too-fast' })
  now.pass(31_000)
  expect(await positions[here](ann, eastOfBerlin(74))).toMatchObject({ reason: 'too-fast' })
})

test.each(TURNS)(
  'from %s two hops in 62 seconds reach 37 km, and a third is as fast as a plane',
  async (_from, here, there) => {
    const { now, ann, positions } = start()
    await positions[here](ann, BERLIN)
    const furthestAfter = async (reached: number, how: 'accept' | 'setTown') => {
      now.pass(31_000)
      for (let hop = 80; hop > 0; hop -= 0.5)
        if ((await positions[how](ann, eastOfBerlin(reached + hop))).ok) return reached + hop
      return reached
    }
    const two = await furthestAfter(await furthestAfter(0, there), here)
    expect(two).toBeGreaterThan(36)
    expect(two).toBeLessThan(37.5)
    expect((await furthestAfter(two, there)) - two).toBeLessThan(10)
  },
)

test('a device that is off by little is never too fast', async () => {
  const { now, ann, positions } = start()
  await positions.accept(ann, BERLIN)
  for (let n = 0; n < 40; n++) {
    now.pass(31_000)
    const near = { lat: BERLIN.lat + (n % 2 ? 0.008 : 0), lng: BERLIN.lng }
    expect(await positions.accept(ann, near)).toMatchObject({ ok: true })
  }
})

test('lifted limits take any location at any time', async () => {
  const positions = createPositions({
    db: app.db,
    now: testClock(),
    masterKey: MASTER_KEY,
    gridKey: GRID_KEY,
    limits: NO_LIMITS,
    off: true,
  })
  const ann = member()
  for (const location of [BERLIN, MUNICH, BERLIN, MUNICH])
    expect(await positions.accept(ann, location)).toMatchObject({ ok: true })
})

test('what is no location is refused', async () => {
  const { ann, positions } = start()
  for (const at of [
    { lat: Number.NaN, lng: 0 },
    { lat: 91, lng: 0 },
    { lat: 0, lng: Number.POSITIVE_INFINITY },
  ]) {
    expect(await positions.accept(ann, at)).toEqual({ ok: false, reason: 'nowhere' })
  }
})

test('positions that are accepted while they are removed are all answered', async () => {
  const { ann, positions } = start()
  const moves = Array.from({ length: 60 }, async (_, n) => {
    await (n % 2 ? positions.remove(ann) : positions.accept(ann, BERLIN))
  })
  const answers = await Promise.allSettled(moves)
  expect(answers.filter(({ status }) => status === 'rejected')).toEqual([])
})
