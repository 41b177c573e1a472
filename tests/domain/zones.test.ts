import { expect, test } from 'vitest'
import { Timezone } from '../../domain/profile/fields.ts'

test('a zone is written as the calendar of zones has it, and another name of it stays', () => {
  const written = (zone: string) => Timezone.parse(zone)
  expect(['europe/berlin', 'EUROPE/BERLIN', 'utc'].map(written)).toEqual(['Europe/Berlin', 'Europe/Berlin', 'UTC'])
  expect(['Europe/Kyiv', 'Asia/Kolkata', 'US/Eastern'].map(written)).toEqual([
    'Europe/Kyiv',
    'Asia/Kolkata',
    'US/Eastern',
  ])
})
