import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DRAWN, KINDS } from '../../vitest.config.ts'
import { listed } from './source.ts'

test('every test belongs to a kind that is run', () => {
  const kindOf = (path: string) => path.split('/')[1] ?? ''
  expect(listed(['tests'], /\.test\.tsx?$/).filter((path) => !(kindOf(path) in KINDS))).toEqual([])
})

test('those with the document of a browser have processes of their own', () => {
  const drawn = listed(['tests'], /\.test\.tsx?$/).filter((path) =>
    readFileSync(path, 'utf8').startsWith('// @vitest-environment happy-dom'),
  )
  expect(drawn.sort()).toEqual(DRAWN)
})
