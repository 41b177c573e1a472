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
import { isErased, personal, subjectFieldOf, valueOr } from '../../domain/shared/personal.ts'
import { line, text, tidy, words } from '../../domain/shared/text.ts'
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
})

describe('personal fields', () => {
  const field = personal('member', z.string())
  test('carry the name of their subject', () => {
    expect([subjectFieldOf(field), subjectFieldOf(z.string())]).toEqual(['member', undefined])
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
