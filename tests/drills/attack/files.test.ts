import { expect, test } from 'vitest'
import { clipBombs } from './files.ts'

test('of clip bombs there are thirty kinds, each unlike all others', async () => {
  const bombs = Object.values(await clipBombs())
  expect(bombs.length).toBeGreaterThanOrEqual(30)
  expect(new Set(bombs.map(({ bytes }) => bytes.toString('latin1'))).size).toBe(bombs.length)
  expect(bombs.filter(({ bytes }) => bytes.length > 50 * 1024 * 1024)).toEqual([])
})
