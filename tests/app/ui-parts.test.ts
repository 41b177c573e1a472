import { expect, test } from 'vitest'
import { boxOf, inside } from '../../app/ui/compose/crop-area.ts'
import { moved, type Slot } from '../../app/ui/compose/slots.ts'
import { peaksOf } from '../../app/ui/media/waveform.tsx'
import { isThrownDown } from '../../app/ui/overlays/drag-down.ts'

const WIDE = { width: 1200, height: 800 }
const TALL = { width: 600, height: 1200 }
const MIDDLE = { x: 0.5, y: 0.5, zoom: 1 }
const rounded = (box: object) =>
  Object.fromEntries(Object.entries(box).map(([name, value]) => [name, Math.round(value * 1000) / 1000]))

test('a crop is as large as its picture and its ratio allow, and a zoom makes it smaller', () => {
  expect(rounded(boxOf(MIDDLE, WIDE, 'square'))).toEqual({ left: 0.167, top: 0, width: 0.667, height: 1 })
  expect(rounded(boxOf(MIDDLE, TALL, 'portrait'))).toEqual({ left: 0, top: 0.188, width: 1, height: 0.625 })
  expect(rounded(boxOf({ ...MIDDLE, zoom: 2 }, TALL, 'portrait'))).toEqual({
    left: 0.25,
    top: 0.344,
    width: 0.5,
    height: 0.313,
  })
})

test('a crop never leaves its picture, and numbers that are none take the middle', () => {
  expect(rounded(inside({ x: 0, y: 2, zoom: 0 }, WIDE, 'square'))).toEqual({ x: 0.333, y: 0.5, zoom: 1 })
  expect(inside({ x: Number.NaN, y: Number.NaN, zoom: Number.NaN }, WIDE, 'square')).toEqual(MIDDLE)
  expect(inside({ ...MIDDLE, zoom: 99 }, WIDE, 'square').zoom).toBe(4)
})

const slot = (key: string): Slot => ({ key, name: key, preview: '', isVideo: false, state: 'sent', id: key })
const order = (slots: readonly Slot[]) => slots.map(({ key }) => key).join('')

test('a file is moved by one place, and no further than to an end', () => {
  const all = ['a', 'b', 'c'].map(slot)
  expect(order(moved(all, 'a', 1))).toBe('bac')
  expect(order(moved(all, 'c', -1))).toBe('acb')
  expect([order(moved(all, 'a', -1)), order(moved(all, 'c', 1)), order(moved(all, 'x', 1))]).toEqual([
    'abc',
    'abc',
    'abc',
  ])
})

test('the waves of a recording are as high as it is loud, and silence has none', () => {
  const samples = new Float32Array(400)
  samples.fill(0.5, 100, 200)
  samples.fill(-1, 200, 300)
  expect(peaksOf(samples, 4)).toEqual([0, 0.5, 1, 0])
  expect(peaksOf(new Float32Array(40), 4)).toEqual([0, 0, 0, 0])
})

test('a sheet closes when it is dragged far or thrown down, and not by a nudge', () => {
  expect([isThrownDown(100, 5_000), isThrownDown(30, 40)]).toEqual([true, true])
  expect([isThrownDown(60, 5_000), isThrownDown(10, 5), isThrownDown(-200, 50)]).toEqual([false, false, false])
})
