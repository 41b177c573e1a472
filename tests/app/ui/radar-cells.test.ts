import { expect, test } from 'vitest'
import { type Cell, cellsFor, cornersOf, middleOf, RINGS, ringOf } from '../../../app/ui/social/radar-cells.ts'

const keyOf = ({ q, r }: Cell) => `${q} ${r}`
const crowd = (count: number, ring: number) => Array.from({ length: count }, (_, at) => ({ id: `m${at}`, ring }))
const distance = ({ q, r }: Cell) => (Math.abs(q) + Math.abs(r) + Math.abs(q + r)) / 2

test('a ring has six cells for each step from the middle, all as far from it', () => {
  for (let ring = 1; ring <= RINGS; ring++) {
    const cells = ringOf(ring)
    expect(new Set(cells.map(keyOf)).size).toBe(6 * ring)
    expect(cells.every((cell) => distance(cell) === ring)).toBe(true)
  }
})

test('nobody shares a cell, and a full ring sends the next one outwards', () => {
  const cells = cellsFor(crowd(10, 1))
  expect(new Set([...cells.values()].map(keyOf)).size).toBe(10)
  expect([...cells.values()].map(distance)).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 2, 2])
})

test('whoever finds no cell in the last ring has none', () => {
  const last = 6 * RINGS
  expect(cellsFor(crowd(last + 3, RINGS)).size).toBe(last)
})

test('a member keeps the cell while those who come after them change', () => {
  const [ann, ...others] = crowd(12, 2)
  expect(cellsFor([ann!, ...others.slice(5)]).get(ann!.id)).toEqual(cellsFor([ann!, ...others]).get(ann!.id))
})

test('cells of one size touch and do not overlap', () => {
  const [one, other] = [middleOf({ q: 0, r: 0 }), middleOf({ q: 1, r: 0 })]
  expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeCloseTo(10 * Math.sqrt(3))
  expect(cornersOf({ q: 0, r: 0 }, 1).split(' ')).toHaveLength(6)
})
