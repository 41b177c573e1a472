import { expect, test } from 'vitest'
import { askedReturnTo } from '../../app/request/guards.server.ts'
import { loginPath, ownPath, pageToReturnTo } from '../../app/request/return-to.ts'

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
  `//${'漢'.repeat(20_000)}/`,
  `/?q=${'a'.repeat(9_000)}`,
  7,
]
test.each(ELSEWHERE)('%j leads nowhere but home', (path) => {
  expect(ownPath(path)).toBe('/')
})

const OWN = 'https://buzz.example'
const asked = (path: string, { method = 'GET', from = `${OWN}/profile/edit?section=bio`, mode = 'cors' } = {}) =>
  pageToReturnTo(
    new Request(OWN + path, { method, headers: { 'Sec-Fetch-Mode': mode, ...(from && { Referer: from }) } }),
  )

test('who followed a link of ours comes back to where it leads, by script or not', () => {
  expect(asked('/chat?after=7')).toBe('/chat?after=7')
  expect(asked('/chat.data?after=7&_routes=routes%2Fchat')).toBe('/chat?after=7')
  expect(asked('/_root.data')).toBe('/')
})

test('who sent a form comes back to the page of the form', () => {
  expect(asked('/block/ann', { method: 'POST' })).toBe('/profile/edit?section=bio')
  expect(asked('/notifications.data?index', { method: 'POST' })).toBe('/profile/edit?section=bio')
})

test('who came by no page of ours comes back to none', () => {
  for (const from of ['', 'https://evil.example/x', 'no address']) expect(asked('/chat', { from })).toBeNull()
  expect(asked('/x', { method: 'POST', from: `${OWN}//evil.example` })).toBe('/')
})

test('who came by a bookmark or a mail comes back to where it leads', () => {
  const typed = { from: '', mode: 'navigate' }
  expect(asked('/discover?ageMin=20', typed)).toBe('/discover?ageMin=20')
  expect(asked('/chat/ann', { ...typed, from: 'https://evil.example/x' })).toBe('/chat/ann#newest')
  expect(asked('/account/export/abc', typed)).toBe('/settings/export')
  expect(asked('/block/ann', { ...typed, method: 'POST' })).toBeNull()
})

test('the login names the page that it leads back to, but for the start page', () => {
  expect([null, '/', '/chat?q=a b'].map((page) => loginPath(page))).toEqual([
    '/login',
    '/login',
    '/login?redirectTo=%2Fchat%3Fq%3Da+b',
  ])
})

test('one comes back to the page that offers a download, which has none of its own', () => {
  expect(asked('/account/export/abc')).toBe('/settings/export')
  expect(asked('/account/export/abc', { from: '' })).toBeNull()
})

test('one comes back to a room at its newest message', () => {
  expect(asked('/chat/ann?after=7')).toBe('/chat/ann?after=7#newest')
  expect(asked('/chat/ann.data?before=m1&_routes=routes%2Fchat.%24userId')).toBe('/chat/ann#newest')
  expect(asked('/audit/ann?before=7')).toBe('/audit/ann?before=7')
})

const linked = (path: string, site: string) => {
  const headers = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-User': '?1' }
  return new Request(OWN + path, { headers })
}
const LINKS = [
  ['/chat/ann?say=Send+me+money', '/chat/ann', '#newest'],
  ['/discover?ageMin=99', '/discover', ''],
  ['/audit/ann/rows', '/audit', ''],
  ['/Audit/ann', '/audit', ''],
  ['/%61udit/ann', '/audit', ''],
  ['/audi%54/ann?before=7', '/audit', ''],
  ['/notifications', '/notifications', ''],
] as const

test.each(LINKS)('a link of another site to %s leads by the login to the page alone', (path, alone, end) => {
  const login = `/login?redirectTo=${encodeURIComponent(path + end)}`
  for (const site of ['cross-site', 'same-site']) {
    expect(pageToReturnTo(linked(path, site))).toBe(alone + end)
    expect(askedReturnTo(linked(`/login?redirectTo=${encodeURIComponent(alone + end)}`, site))).toBe(alone + end)
  }
  for (const site of ['none', 'same-origin']) {
    expect(pageToReturnTo(linked(path, site))).toBe(path + end)
    expect(askedReturnTo(linked(login, site))).toBe(path + end)
  }
})
