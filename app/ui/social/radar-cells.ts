/** A cell of the comb by its axes; the middle is 0, 0. */
export type Cell = { readonly q: number; readonly r: number }
/** How far away somebody is: the ring they stand in, counted from 1. */
export const RINGS = 3

const SIZE = 10
/** Round a ring, starting at its corner on the left: how the axes change along each of its six sides. */
const SIDES: readonly Cell[] = [
  { q: 1, r: -1 },
  { q: 1, r: 0 },
  { q: 0, r: 1 },
  { q: -1, r: 1 },
  { q: -1, r: 0 },
  { q: 0, r: -1 },
]

/** The cells of a ring, clockwise. */
export function ringOf(ring: number): readonly Cell[] {
  const cells: Cell[] = []
  let [q, r] = [-ring, 0]
  for (const side of SIDES) {
    for (let step = 0; step < ring; step++) {
      cells.push({ q, r })
      q += side.q
      r += side.r
    }
  }
  return cells
}

/** Where somebody stands in their ring follows from who they are: they stay there while others come and go. */
function turnOf(id: string): number {
  let sum = 7
  for (const letter of id) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return (sum ^ (sum >>> 13)) >>> 0
}

/**
 * A cell for each of these: in their ring, or in the next ring outwards that has room. Who finds none is left out, and
 * stands in the list alone.
 */
export function cellsFor<P extends { id: string; ring: number }>(people: readonly P[]): ReadonlyMap<string, Cell> {
  const taken = new Map<string, Cell>()
  const isFree = (cell: Cell) => ![...taken.values()].some(({ q, r }) => q === cell.q && r === cell.r)
  for (const { id, ring } of people) {
    for (let at = Math.max(1, ring); at <= RINGS && !taken.has(id); at++) {
      const cells = ringOf(at)
      const from = turnOf(id) % cells.length
      const cell = [...cells.slice(from), ...cells.slice(0, from)].find(isFree)
      if (cell) taken.set(id, cell)
    }
  }
  return taken
}

/** The middle of a cell in the drawing. */
export function middleOf({ q, r }: Cell): { x: number; y: number } {
  return { x: SIZE * Math.sqrt(3) * (q + r / 2), y: SIZE * 1.5 * r }
}

/** The corners of a cell, a little smaller than its place. */
export function cornersOf(cell: Cell, scale = 0.94): string {
  const { x, y } = middleOf(cell)
  const corner = (turn: number) => {
    const angle = (Math.PI / 180) * (60 * turn - 90)
    return `${(x + SIZE * scale * Math.cos(angle)).toFixed(2)},${(y + SIZE * scale * Math.sin(angle)).toFixed(2)}`
  }
  return [0, 1, 2, 3, 4, 5].map(corner).join(' ')
}

/** The box of the drawing: all rings. */
export const BOX = { x: -61.5, y: -56, width: 123, height: 112 }
