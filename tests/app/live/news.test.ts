import { expect, test } from 'vitest'
import { isOnPage, type News, toastOf } from '../../../app/live/kept/news.ts'
import { titleCount, titleWith } from '../../../app/live/kept/use-title-count.ts'

const buzz: News = { kind: 'buzz', from: 'bea' }
const match: News = { kind: 'match', from: 'bea' }
const message: News = { kind: 'message', from: 'bea' }

test.each([
  [buzz, '/notifications', true],
  [buzz, '/viewProfile/bea', true],
  [buzz, '/viewprofile/cat', false],
  [buzz, '/discover', false],
  [message, '/chat', true],
  [message, '/chat/bea', true],
  [message, '/viewProfile/bea', false],
  [message, '/notifications', false],
  [match, '/match/bea', true],
  [match, '/match/cat', false],
  [match, '/chat/bea', true],
])('of %o the page at %s shows %s', (news, path, shown) => {
  expect(isOnPage(news, path, () => false)).toBe(shown)
})

test('beside another room a message is in the list of matches, where there is room for one', () => {
  expect([true, false].map((isWide) => isOnPage(message, '/chat/cat', () => isWide))).toEqual([true, false])
})

test('a toast has a name, a face and a way to answer', () => {
  const face = { firstName: 'Bea', photo: '/media/soft' }
  expect([buzz, match, message].map((news) => toastOf(news, face))).toMatchObject([
    { text: 'Bea buzzed you.', action: { to: '/notifications' }, face: { name: 'Bea', photo: '/media/soft' } },
    { text: "It's a match with Bea.", action: { to: '/chat/bea' } },
    { text: 'Bea sent you a message.', action: { to: '/chat/bea' } },
  ])
})

test('the title has the count in front of it once, and none for nothing', () => {
  expect(titleWith(3, 'Chat · LetsBuzz')).toBe('(3) Chat · LetsBuzz')
  expect(titleWith(2, '(3) Chat · LetsBuzz')).toBe('(2) Chat · LetsBuzz')
  expect(titleWith(0, '(99+) Chat · LetsBuzz')).toBe('Chat · LetsBuzz')
  expect(titleWith(100, 'LetsBuzz')).toBe('(99+) LetsBuzz')
})

test('the title counts what the badges show, which is the buzzes where there are any', () => {
  expect(titleCount({ chat: 0, buzzes: 5, notifications: 8 })).toBe(5)
  expect(titleCount({ chat: 2, buzzes: 0, notifications: 3 })).toBe(5)
})
