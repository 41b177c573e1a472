import { expect, test } from 'vitest'
import { normal } from '../../domain/shared/normal.ts'
import { tidy } from '../../domain/shared/text.ts'

/** Marks that are put in order, each behind all of the other half. */
const marks = (count: number) => `a${'\u0345'.repeat(count / 2)}${'\u0316'.repeat(count / 2)}`

test('a letter keeps thirty marks, and a text of many takes no longer than its length', () => {
  expect(normal(`${marks(60)}b${marks(20)}`)).toBe(`${marks(60).slice(0, 31)}b${marks(20)}`.normalize('NFC'))
  // Without the bound this one takes minutes.
  expect(tidy(marks(1_000_000))).toHaveLength(31)
})

test('a letter that is joined to those like it counts as a mark', () => {
  expect(tidy('\u{16d67}'.repeat(1_000)).length).toBeLessThanOrEqual(60)
  expect(tidy('\u{16d67}'.repeat(4))).toBe('\u{16d67}'.repeat(4).normalize('NFC'))
})

test('runs of as many marks as a letter may have stay, one after the other', () => {
  const runs = `a${'\u0316'.repeat(29)}`.repeat(100)
  expect(normal(runs)).toBe(runs.normalize('NFC'))
})

test('what people write stays as it is', () => {
  for (const text of ['Zoë', 'Tiếng Việt', 'नमस्ते', 'ྒྲུབ', 'שָׁלוֹם', '👩🏽‍❤️‍💋‍👨🏾'])
    expect(normal(text)).toBe(text.normalize('NFC'))
})
