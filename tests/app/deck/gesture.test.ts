import { expect, test } from 'vitest'
import { begin, end, move } from '../../../app/routes/discover/deck/gesture.ts'

/** A finger through these points of [x, y, milliseconds]; what it comes to when it is lifted at the last. */
function swipe(...points: readonly (readonly [x: number, y: number, at: number])[]) {
  const [first, ...rest] = points.map(([x, y, at]) => ({ x, y, at }))
  const before = rest.slice(0, -1).reduce(move, begin(first!))
  return end(before, rest.at(-1)!)
}

test('a slow drag decides past 120 pixels, and less springs back', () => {
  expect(swipe([0, 0, 0], [100, 0, 400], [121, 0, 900])).toEqual({ decided: 'right' })
  expect(swipe([0, 0, 0], [-100, 0, 400], [-121, 0, 900])).toEqual({ decided: 'left' })
  expect(swipe([0, 0, 0], [100, 0, 400], [120, 0, 900])).toBe('back')
})

test('a flick decides where a slow drag of the same length does not', () => {
  expect(swipe([0, 0, 0], [20, 0, 20], [60, 0, 60])).toEqual({ decided: 'right' })
  expect(swipe([0, 0, 0], [-20, 0, 20], [-60, 0, 60])).toEqual({ decided: 'left' })
  expect(swipe([0, 0, 0], [20, 0, 100], [60, 0, 300])).toBe('back')
})

test('a quick drag that rests before it is let go is no flick, nor is one that comes back', () => {
  expect(swipe([0, 0, 0], [90, 0, 40], [90, 0, 300])).toBe('back')
  expect(swipe([0, 0, 0], [100, 0, 50], [40, 0, 100])).toBe('back')
  expect(swipe([0, 0, 0], [20, 0, 5])).toBe('back')
})

test('a touch that stays in its place is a tap, and one that stays long is nothing', () => {
  expect(swipe([50, 50, 0], [53, 48, 120])).toBe('tap')
  expect(swipe([50, 50, 0], [50, 50, 800])).toBe('none')
})

test('what goes up or down is the page’s, wherever it ends', () => {
  expect(swipe([0, 0, 0], [4, 30, 40], [200, 40, 120])).toBe('none')
  expect(swipe([0, 0, 0], [30, 4, 40], [200, 400, 120])).toEqual({ decided: 'right' })
})
