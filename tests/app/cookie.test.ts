import { expect, test } from 'vitest'
import { cookieOf, ENDED_COOKIES, hostCookie, KEPT_COOKIES } from '../../app/request/cookie.server.ts'
import { sources } from '../architecture/source.ts'

const session = hostCookie('__Host-buzz')
const valueIn = (header: string) => cookieOf(session, new Request('http://localhost/', { headers: { Cookie: header } }))

test('the first cookie of exactly that name counts, wherever it stands', async () => {
  expect(await valueIn('__Host-buzz=one')).toBe('one')
  expect(await valueIn('a=1; __Host-buzz=two; b=2')).toBe('two')
  expect(await valueIn('a=1;__Host-buzz=three')).toBe('three')
  expect(await valueIn('x__Host-buzz=no; __Host-buzz=yes; __Host-buzz=late')).toBe('yes')
  expect(await valueIn('a=__Host-buzz=no')).toBeNull()
  expect(await valueIn('a=x __Host-buzz=no; __Host-buzz=yes')).toBe('yes')
  expect(await valueIn('  __Host-buzz=blank')).toBe('blank')
  expect(await valueIn('__Host-buzzs=no; other=1')).toBeNull()
  expect(await valueIn('__Host-buzz=')).toBeNull()
})

test('every cookie that the sources name either ends with the session or is known to outlive it', () => {
  const named = sources(['app', 'server']).flatMap(({ text }) => text.match(/__Host-[a-z]+\d?/g) ?? [])
  const listed: readonly string[] = [...ENDED_COOKIES, ...KEPT_COOKIES]
  const flow = '__Host-google'
  expect([...new Set(named)].sort()).toEqual([...listed, flow].sort())
})
