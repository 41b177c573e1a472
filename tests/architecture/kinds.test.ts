import { expect, test } from 'vitest'
import { KINDS } from '../../vitest.config.ts'
import { listed } from './source.ts'

test('every test belongs to a kind that is run', () => {
  const kindOf = (path: string) => path.split('/')[1] ?? ''
  expect(listed(['tests'], /\.test\.tsx?$/).filter((path) => !(kindOf(path) in KINDS))).toEqual([])
})
