import { expect, test } from 'vitest'
import { collectMessages, dayWords, layOut, localTime } from '../../../app/routes/chat.$userId/messages.ts'

const message = (id: string, from: string, time: string) => ({ id, number: 1, from, text: id, time })

test("days and times of a conversation are those of the reader's clock", () => {
  const history = [
    message('a', 'ann', '2026-03-01T22:50:00.000Z'),
    message('b', 'ann', '2026-03-01T23:10:00.000Z'),
    message('c', 'bea', '2026-03-01T23:20:00.000Z'),
  ]
  const anHourOn = (time: string) => new Date(Date.parse(time) + 3_600_000).toISOString()
  const laid = layOut(collectMessages('ann', history, []), anHourOn)
  expect(laid.map(({ wall }) => wall.slice(11, 16))).toEqual(['23:50', '00:10', '00:20'])
  expect(laid.map(({ day }) => day)).toEqual(['2026-03-01', '2026-03-02', null])
  expect(laid.map(({ last }) => last)).toEqual([true, true, true])
})

test('the local time of a moment is what the clock of the device shows', () => {
  const time = '2026-07-04T12:34:56.000Z'
  const [hours, minutes] = [new Date(time).getHours(), new Date(time).getMinutes()]
  expect(localTime(time).slice(11, 16)).toBe([hours, minutes].map((n) => String(n).padStart(2, '0')).join(':'))
})

test('a day is named with its number ahead of its month', () => {
  const words = ['2026-11-27', '2026-11-26', '2026-11-23'].map((day) => dayWords(day, '2026-11-27T12:00:00.000Z'))
  expect(words).toEqual(['Today', 'Yesterday', 'Monday 23 November'])
})
