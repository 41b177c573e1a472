import { expect, test } from 'vitest'
import { cellAt, DISCOVER_CELL_M, type LatLng } from '../../../domain/shared/grid.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { createPositions } from '../../../services/nearby/positions.ts'
import { createGridOffsets } from '../../../services/nearby/publication.ts'
import { randomId } from '../../../services/random-id.ts'
import { metresFrom, whereSeenAt } from '../../support/locations/own-grid.ts'
import { appDatabase, GRID_KEY, MASTER_KEY, NO_LIMITS, testClock } from '../support/app.ts'

const app = appDatabase()
const MINUTE = 60_000
const BERLIN = cellAt({ lat: 52.5163, lng: 13.3777 }, DISCOVER_CELL_M)
const MUNICH = { lat: 48.1374, lng: 11.5755 }

const rowOf = (member: MemberId) =>
  app.db.selectFrom('position').selectAll().where('member', '=', member).executeTakeFirst()

/** A member whom their own grid shows in the middle of a cell, and moves that it shows so far from there. */
async function start() {
  const now = testClock()
  const ann = randomId() as MemberId
  const positions = createPositions({
    db: app.db,
    now,
    masterKey: MASTER_KEY,
    gridKey: GRID_KEY,
    limits: NO_LIMITS,
    off: true,
  })
  const goTo = (seen: LatLng) => positions.accept(ann, whereSeenAt(seen, ann, MASTER_KEY))
  const goEast = (metres: number) => goTo(metresFrom(BERLIN, metres))
  await goEast(0)
  const shown = async () => {
    const row = await rowOf(ann)
    return row && { row: row.cell_row, col: row.cell_col }
  }
  const passed = async (ms: number) => {
    now.pass(ms)
    await positions.publishDue()
    return shown()
  }
  return { now, ann, positions, goTo, goEast, passed, shown }
}
const HERE = { row: BERLIN.row, col: BERLIN.col }
const EAST = { row: BERLIN.row, col: BERLIN.col + 1 }

test('a step over the edge is never shown before the margin', async () => {
  const { goEast, passed } = await start()
  for (const metres of [510, 600, 648, -648, 0]) {
    expect(await goEast(metres)).toEqual({ ok: true, moved: false })
    expect(await passed(20 * MINUTE)).toEqual(HERE)
  }
})

test('beyond the margin the cell changes after minutes, without another position', async () => {
  const { goEast, passed } = await start()
  expect(await goEast(655)).toEqual({ ok: true, moved: true })
  expect(await passed(2 * MINUTE - 1)).toEqual(HERE)
  expect(await passed(10 * MINUTE + 1)).toEqual(EAST)
})

test('when it changes is drawn anew, evenly from two to twelve minutes', async () => {
  const waits = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const { now, ann, goEast } = await start()
      await goEast(800)
      return ((await rowOf(ann))!.next_at!.getTime() - now().getTime()) / MINUTE
    }),
  )
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(2)
  expect(Math.max(...waits)).toBeLessThanOrEqual(12)
  for (const part of [2, 4.5, 7, 9.5]) {
    const here = waits.filter((wait) => wait >= part && wait < part + 2.5).length
    expect(here).toBeGreaterThan(25)
    expect(here).toBeLessThan(75)
  }
})

test('a change that waits outlives a restart', async () => {
  const { now, ann, goEast } = await start()
  await goEast(800)
  now.pass(12 * MINUTE)
  await createPositions({ db: app.db, now, masterKey: MASTER_KEY, gridKey: GRID_KEY, limits: NO_LIMITS }).publishDue()
  expect(await rowOf(ann)).toMatchObject({ cell_col: EAST.col, next_at: null, next_col: null })
})

test('a position that comes when the change is due counts from the new cell', async () => {
  const { now, goEast, passed } = await start()
  await goEast(700)
  now.pass(13 * MINUTE)
  expect(await goEast(400)).toEqual({ ok: true, moved: false })
  expect(await passed(0)).toEqual(EAST)
  expect(await passed(20 * MINUTE)).toEqual(EAST)
})

test('a journey is shown late by twelve minutes at most, however the member moves on', async () => {
  const { now, ann, goTo, positions } = await start()
  await goTo(MUNICH)
  for (let minute = 0; minute < 12; minute++) {
    now.pass(MINUTE)
    await goTo(metresFrom(MUNICH, minute * 700))
  }
  await positions.publishDue()
  expect(Math.abs((await rowOf(ann))!.lat - MUNICH.lat)).toBeLessThan(0.1)
})

test('a town shows at once and as the common grid has it, and what is measured after it shows at once', async () => {
  const { ann, positions, goTo, shown } = await start()
  await positions.setTown(ann, MUNICH)
  const { row, col } = cellAt(MUNICH, DISCOVER_CELL_M)
  expect(await shown()).toEqual({ row, col })
  await goTo(BERLIN)
  expect(await shown()).toEqual(HERE)
})

test('a town takes the place of a change that waits', async () => {
  const { ann, positions, goEast, passed } = await start()
  await goEast(800)
  await positions.setTown(ann, MUNICH)
  const { row, col } = cellAt(MUNICH, DISCOVER_CELL_M)
  expect(await passed(20 * MINUTE)).toEqual({ row, col })
})

/** What a process of a release that knows of no cell that waits writes when a position comes. */
const takenByReleaseBefore = (member: MemberId, location: LatLng, at: Date) => {
  const { row, col, lat, lng } = cellAt(location, DISCOVER_CELL_M)
  const columns = { cell_row: row, cell_col: col, lat, lng, accepted_at: at }
  return app.db.updateTable('position').set(columns).where('member', '=', member).execute()
}

test.each([
  ['elsewhere', MUNICH],
  ['in the cell that is published', BERLIN],
])('a position %s that the release before takes is not followed by an older cell that waits', async (_, location) => {
  const { now, ann, goEast, passed } = await start()
  await goEast(800)
  now.pass(MINUTE / 2)
  await takenByReleaseBefore(ann, location, now())
  const { row, col } = cellAt(location, DISCOVER_CELL_M)
  expect(await passed(0)).toEqual({ row, col })
  expect(await rowOf(ann)).toMatchObject({
    next_row: null,
    next_col: null,
    next_lat: null,
    next_lng: null,
    next_at: null,
  })
  expect(await passed(13 * MINUTE)).toEqual({ row, col })
})

test('what is measured after it counts from the cell that it published, with a delay of its own', async () => {
  const { now, ann, goEast, passed } = await start()
  await goEast(1_800)
  now.pass(12 * MINUTE)
  await takenByReleaseBefore(ann, metresFrom(BERLIN, 1_000), now())
  expect(await goEast(400)).toEqual({ ok: true, moved: false })
  expect(await goEast(0)).toEqual({ ok: true, moved: true })
  expect(await passed(2 * MINUTE - 1)).toEqual(EAST)
  expect(await passed(10 * MINUTE + 1)).toEqual(HERE)
})

test('a change that waits goes with the member, and is made before the position is forgotten', async () => {
  const { now, ann, positions, goEast } = await start()
  await goEast(800)
  now.pass(24 * 60 * MINUTE)
  await positions.sweep()
  expect(await rowOf(ann)).toMatchObject({ sealed: null, next_at: null, cell_col: EAST.col })
  await goEast(0)
  await positions.remove(ann)
  expect(await rowOf(ann)).toBeUndefined()
  expect(await positions.publishDue()).toBe(0)
})

test('each member’s grid lies elsewhere, always the same, and by the key alone', () => {
  const offsetOf = createGridOffsets(GRID_KEY)
  const members = Array.from({ length: 1_000 }, () => randomId() as MemberId)
  const offsets = members.map(offsetOf)
  expect(members.map(createGridOffsets(Buffer.from(GRID_KEY)))).toEqual(offsets)
  const others = members.map(createGridOffsets(Buffer.alloc(32, 8)))
  expect(others.filter((other, n) => Math.abs(other.east - offsets[n]!.east) < 0.001)).toEqual([])
  for (const axis of ['east', 'north'] as const) {
    const sorted = offsets.map((offset) => offset[axis]).sort((a, b) => a - b)
    sorted.forEach((metres, n) => void expect(Math.abs(metres + 500 - n)).toBeLessThan(60))
  }
})
