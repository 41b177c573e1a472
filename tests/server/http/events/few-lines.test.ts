import { expect, test } from 'vitest'
import { fewLines } from '../../../../server/http/few-lines.ts'

let at = 0
const counting = () => fewLines(() => new Date(at))
/** How many of so many are logged. */
function logged(leftOutOf: (key: string) => number | null, count: number, key: (n: number) => string): number {
  const keys = Array.from({ length: count }, (_, n) => key(n))
  return keys.filter((one) => leftOutOf(one) !== null).length
}

test('each key has twenty lines a minute, and its next one counts what was left out', () => {
  const leftOutOf = counting()
  expect(logged(leftOutOf, 50, () => 'one')).toBe(20)
  expect(leftOutOf('other')).toBe(0)
  at += 59_999
  expect(leftOutOf('one')).toBeNull()
  at += 1
  expect([leftOutOf('one'), leftOutOf('one')]).toEqual([31, 0])
})

test('a crowd of keys is logged with an end: beyond a thousand in one minute they share the lines of one', () => {
  const leftOutOf = counting()
  expect(logged(leftOutOf, 5_000, (n) => `of ${n}`)).toBe(1_020)
  expect(logged(leftOutOf, 50, () => 'of 0')).toBe(19)
  at += 60_000
  expect(logged(leftOutOf, 5_000, (n) => `later ${n}`)).toBe(1_020)
})
