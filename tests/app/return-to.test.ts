import { expect, test } from 'vitest'
import { ownPath } from '../../app/request/return-to.ts'

test('a path of our own is where one goes back to', () => {
  expect(ownPath('/chat/ann?x=1#last')).toBe('/chat/ann?x=1#last')
  expect(ownPath('/a/../chat')).toBe('/chat')
})

const ELSEWHERE = [
  '//evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/\\evil.example',
  'https://evil.example',
  '/\t/evil.example',
  7,
]
test.each(ELSEWHERE)('%j leads nowhere but home', (path) => {
  expect(ownPath(path)).toBe('/')
})
