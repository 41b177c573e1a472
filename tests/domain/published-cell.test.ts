import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellAt, DISCOVER_CELL_M, metresBetween } from '../../domain/shared/grid.ts'
import {
  afterPosition,
  CELL_DELAY_MS,
  CELL_MARGIN_M,
  cellKept,
  gridOffset,
  onOwnGrid,
  type Publication,
  publishedBy,
} from '../../domain/shared/published-cell.ts'
import { metresFrom } from '../support/locations/own-grid.ts'

const cellOf = (at: { lat: number; lng: number }) => cellAt(at, DISCOVER_CELL_M)
const HOME = cellOf({ lat: 38.7223, lng: -9.1393 })
const NOON = new Date('2026-03-01T12:00:00Z')
const minutes = (count: number) => new Date(NOON.getTime() + count * 60_000)
/** So many metres past the eastern edge, level with the centre. */
const past = (metres: number) => metresFrom(HOME, DISCOVER_CELL_M / 2 + metres)
const shown: Publication = { cell: HOME, next: null }
const move = (from: Publication, to: number, at: number, delayMs = 5 * 60_000) =>
  afterPosition(from, past(to), { now: minutes(at), delayMs })

const location = fc.record({
  lat: fc.double({ min: -84, max: 84, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
})
const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })

test('a cell is kept up to the margin past its edge, on every side, and left from there on', () => {
  fc.assert(
    fc.property(location, fc.double({ min: -1, max: 1, noNaN: true }), fc.nat(3), (spot, along, side) => {
      const cell = cellOf(spot)
      fc.pre(Math.abs(cell.lng) < 179.9)
      const at = (metres: number) => {
        const [out, beside] = [DISCOVER_CELL_M / 2 + metres, (along * DISCOVER_CELL_M) / 2]
        const [east, north] = [
          [out, beside],
          [-out, beside],
          [beside, out],
          [beside, -out],
        ][side] as [number, number]
        return metresFrom(cell, east, north)
      }
      expect(cellKept(cell, at(CELL_MARGIN_M - 1))).toEqual(cell)
      expect(cellKept(cell, at(CELL_MARGIN_M + 1))).toEqual(cellOf(at(CELL_MARGIN_M + 1)))
      expect(cellKept(cell, at(CELL_MARGIN_M + 1))).not.toEqual(cell)
    }),
  )
  expect(CELL_MARGIN_M).toBe(150)
})

test('beyond the margin the next cell waits for its time, and is published then without another position', () => {
  const waiting = move(shown, 200, 0)
  expect(waiting).toEqual({ cell: HOME, next: { cell: cellOf(past(200)), dueAt: minutes(5) } })
  expect(publishedBy(waiting, new Date(minutes(5).getTime() - 1))).toEqual(waiting)
  expect(publishedBy(waiting, minutes(5))).toEqual({ cell: cellOf(past(200)), next: null })
  expect(CELL_DELAY_MS).toEqual({ least: 120_000, most: 720_000 })
})

test('whoever turns back before the time is up was never seen to leave', () => {
  expect(move(move(shown, 200, 0), 149, 3)).toEqual(shown)
})

test('whoever goes on meanwhile is published where they are, at the time of the first change', () => {
  const further = move(move(shown, 200, 0), 30_000, 4)
  expect(further.next).toEqual({ cell: cellOf(past(30_000)), dueAt: minutes(5) })
  expect(move(further, 60_000, 6)).toEqual({
    cell: cellOf(past(30_000)),
    next: { cell: cellOf(past(60_000)), dueAt: minutes(11) },
  })
})

test('standing about the margin, or about the edge, changes the cell once at most', () => {
  for (const about of [150, 0, -150]) {
    const cells = [shown.cell.col]
    let publication = shown
    for (let minute = 0; minute < 600; minute++) {
      publication = move(publication, about + 140 * Math.sin(minute * 1.7), minute, 60_000)
      if (publication.cell.col !== cells.at(-1)) cells.push(publication.cell.col)
    }
    expect(cells).toEqual(about === 150 ? [HOME.col, HOME.col + 1] : [HOME.col])
  }
})

test('on its own grid a location is at most half a cell off each way, and in a cell of the common grid', () => {
  fc.assert(
    fc.property(location, share, share, (spot, east, north) => {
      const seen = onOwnGrid(spot, gridOffset(east, north))
      expect(Math.abs(seen.lng)).toBeLessThanOrEqual(180)
      expect(metresBetween(spot, seen)).toBeLessThan(DISCOVER_CELL_M * 0.72)
      const cell = cellOf(seen)
      fc.pre(Math.abs(cell.lng) < 180)
      expect(cellOf(cell)).toEqual(cell)
    }),
  )
})

test('over all offsets a location is seen all over one cell’s size, as often here as there', () => {
  const spot = { lat: 47.3769, lng: 8.5417 }
  const quarters = new Map<string, number>()
  for (let n = 0; n < 4_000; n++) {
    const seen = onOwnGrid(spot, gridOffset((n * 0.618034) % 1, (n * 0.414214) % 1))
    const quarter = `${seen.lat > spot.lat}${seen.lng > spot.lng}`
    quarters.set(quarter, (quarters.get(quarter) ?? 0) + 1)
  }
  expect([...quarters.values()].every((count) => Math.abs(count - 1_000) < 20)).toBe(true)
  expect(quarters.size).toBe(4)
})

test('near the poles and where the days meet every location has a cell', () => {
  for (const lat of [-90, -89.9999, 89.9999, 90])
    for (const lng of [-180, -179.9999, 0, 180]) {
      const seen = onOwnGrid({ lat, lng }, gridOffset(0.999, 0.999))
      const cell = cellOf(seen)
      expect([cell.lat, cell.lng].every(Number.isFinite)).toBe(true)
      expect(cellKept(cell, seen)).toEqual(cell)
    }
})
