import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ageOn, daysLeft, isCalendarDate } from '../../domain/shared/dates.ts'
import {
  bandOf,
  cellAt,
  DISCOVER_CELL_M,
  distanceBetween,
  MICROBUZZ_CELL_M,
  metresBetween,
} from '../../domain/shared/grid.ts'
import { membersOf, otherOf, PairId, pairIdOf } from '../../domain/shared/ids.ts'
import { isErased, personal, secondSubjectFieldOf, subjectFieldOf, valueOr } from '../../domain/shared/personal.ts'
import { lengthOf, line, optionalLine, text, tidy, words } from '../../domain/shared/text.ts'
import { ann, bea, minute, T0 } from '../support/people.ts'

describe('dates', () => {
  test('only days that exist are dates', () => {
    const days = [
      '2024-02-29',
      '2000-02-29',
      '2023-02-29',
      '1900-02-29',
      '2024-04-31',
      '2024-13-01',
      '1899-12-31',
      '2024-1-1',
      '',
    ]
    expect(days.filter(isCalendarDate)).toEqual(['2024-02-29', '2000-02-29'])
  })
  test('a birthday counts from its own day on; the 29th of February waits for March', () => {
    const age = (dob: string, day: string) => ageOn(dob, new Date(`${day}T00:00:00Z`))
    expect([age('2000-06-15', '2018-06-14'), age('2000-06-15', '2018-06-15')]).toEqual([17, 18])
    expect([age('2004-02-29', '2022-02-28'), age('2004-02-29', '2022-03-01'), age('2004-02-29', '2024-02-29')]).toEqual(
      [17, 18, 20],
    )
    expect(age('2030-01-01', '2029-01-01')).toBeLessThan(0)
  })
  test('the last part of a day is a day left', () => {
    expect([
      daysLeft(T0, minute(1)),
      daysLeft(T0, minute(1440)),
      daysLeft(T0, minute(1441)),
      daysLeft(minute(1), T0),
    ]).toEqual([1, 1, 2, 0])
  })
})

/** Spaces, joiners, byte order marks, fillers, marks of direction, a blank Braille cell. */
const INVISIBLE = [
  '\u200b',
  '\u2060\ufeff',
  '\u202e',
  ' \u200d\ufe0f ',
  '\u3164\u115f',
  '\u00ad',
  '\u2800\n\u2009',
  '\ufff9',
]

describe('text', () => {
  test('is tidied to NFC without control characters, and keeps line feeds', () => {
    expect(tidy('  e\u0301\u0000\u202f a\r\nb\rc\u2028 ')).toBe('é\u202f a\nb\nc')
    expect(tidy('a\ud800b\udc00c')).toBe('abc')
    expect(tidy('👩‍👩‍👧')).toBe('👩‍👩‍👧')
  })
  test('tidying twice changes nothing more', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (value) => tidy(tidy(value)) === tidy(value)))
  })
  test('is measured after tidying', () => {
    expect([text(3).safeParse(' abc ').success, text(3).safeParse('abcd').success, text(3).parse('   ')]).toEqual([
      true,
      false,
      '',
    ])
    expect([words(3).safeParse('   ').success, line(9).parse('a \n b')]).toEqual([false, 'a b'])
  })
  test('is counted in characters, not in units: an emoji is one', () => {
    expect([lengthOf('🙂'.repeat(3)), lengthOf('añ'), lengthOf('')]).toEqual([3, 2, 0])
    for (const kind of [text, words, line, optionalLine])
      expect([3, 4].map((many) => kind(3).safeParse('🙂'.repeat(many)).success)).toEqual([true, false])
  })
  test('that is too long is measured by its own limit, however long', () => {
    for (const kind of [text, words, line, optionalLine])
      expect(kind(3).safeParse('x'.repeat(9_000)).error?.issues).toMatchObject([{ code: 'too_big', maximum: 3 }])
  })
  test.each(INVISIBLE)('of nothing that can be seen is empty: %j', (unseen) => {
    expect([tidy(unseen), text(9).parse(unseen), optionalLine(9).parse(unseen)]).toEqual(['', '', ''])
    expect([words(9).safeParse(unseen).success, line(9).safeParse(unseen).success]).toEqual([false, false])
  })
  test('keeps what joins and shapes what can be seen', () => {
    for (const kept of ['👩‍👩‍👧', '❤️', 'می‌خواهم', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', 'a\u200bb', '\u0600']) expect(line(20).parse(kept)).toBe(kept)
  })
  test('of one line does not turn the text around it; a text of several lines keeps its marks', () => {
    for (const turned of ['\u202eabc', 'a\u2066b\u2069c', '\u200fabc\u061c', 'a\u202a b\u202c\n c'])
      expect(line(20).parse(turned).replaceAll(' ', '')).toBe('abc')
    expect([text(20).parse('\u202eabc'), words(20).parse('a\u200fb')]).toEqual(['\u202eabc', 'a\u200fb'])
    expect(optionalLine(20).parse('a\r\n\n\u202e b')).toBe('a b')
  })
  test('of one line is tidied in a moment, whatever it holds', () => {
    const began = performance.now()
    expect(line(9).safeParse(`a${' '.repeat(60_000)}b`).success).toBe(false)
    expect(performance.now() - began).toBeLessThan(500)
  })
})

describe('personal fields', () => {
  const field = personal('member', z.string())
  test('carry the name of their subject', () => {
    expect([subjectFieldOf(field), subjectFieldOf(z.string())]).toEqual(['member', undefined])
    const both = personal('report', z.string(), { and: 'by' })
    expect([subjectFieldOf(both), secondSubjectFieldOf(both), secondSubjectFieldOf(field)]).toEqual([
      'report',
      'by',
      undefined,
    ])
  })
  test('are a value or the mark that it is gone', () => {
    expect([
      field.safeParse('x').success,
      field.safeParse({ erased: true }).success,
      field.safeParse({ erased: false }).success,
    ]).toEqual([true, true, false])
    expect([valueOr('x', '-'), valueOr({ erased: true }, '-'), isErased({ erased: 'no' }), isErased(null)]).toEqual([
      'x',
      '-',
      false,
      false,
    ])
  })
})

test('a pair is the same whoever comes first', () => {
  expect(pairIdOf(ann, bea)).toBe(pairIdOf(bea, ann))
  expect(PairId.safeParse(pairIdOf(ann, bea)).success).toBe(true)
  expect([membersOf(pairIdOf(bea, ann)), otherOf(pairIdOf(ann, bea), bea)]).toEqual([[ann, bea], ann])
})

describe('the grid', () => {
  const location = fc.record({
    lat: fc.double({ min: -84, max: 84, noNaN: true }),
    lng: fc.double({ min: -180, max: 180, noNaN: true }),
  })
  test('a position is never further from its cell’s centre than a corner', () => {
    fc.assert(
      fc.property(location, fc.constantFrom(MICROBUZZ_CELL_M, DISCOVER_CELL_M), (spot, size) => {
        expect(metresBetween(spot, cellAt(spot, size))).toBeLessThan(size * 0.72)
      }),
    )
  })
  test('a centre lies in its own cell', () => {
    fc.assert(
      fc.property(location, (spot) => {
        const home = cellAt(spot, DISCOVER_CELL_M)
        fc.pre(Math.abs(home.lng) < 180)
        expect(cellAt(home, DISCOVER_CELL_M)).toEqual(home)
      }),
    )
  })
  test('distances are the same both ways and known from the map', () => {
    const paris = cellAt({ lat: 48.8566, lng: 2.3522 }, DISCOVER_CELL_M)
    const london = cellAt({ lat: 51.5074, lng: -0.1278 }, DISCOVER_CELL_M)
    expect(distanceBetween(paris, london)).toEqual(distanceBetween(london, paris))
    expect(Math.abs(distanceBetween(paris, london).miles - 213.5)).toBeLessThan(1.5)
  })
  test('the own cell is the lowest distance, and what is shown is a band', () => {
    const home = cellAt({ lat: 48.8566, lng: 2.3522 }, DISCOVER_CELL_M)
    expect(distanceBetween(home, home)).toEqual({ miles: 0.3, metres: 500, band: 'less than 0.5 mi' })
    expect([0.6, 3.2, 57.4, 4000].map(bandOf)).toEqual([
      ...['less than 1 mi', 'less than 5 mi', 'less than 100 mi', 'more than 1000 mi'],
    ])
  })
})
