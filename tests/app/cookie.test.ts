import { expect, test } from 'vitest'
import { cookieOf, hostCookie } from '../../app/request/cookie.server.ts'

const session = hostCookie('__Host-session')
const valueIn = (header: string) => cookieOf(session, new Request('http://localhost/', { headers: { Cookie: header } }))

test('the first cookie of exactly that name counts, wherever it stands', async () => {
  expect(await valueIn('__Host-session=one')).toBe('one')
  expect(await valueIn('a=1; __Host-session=two; b=2')).toBe('two')
  expect(await valueIn('a=1;__Host-session=three')).toBe('three')
  expect(await valueIn('x__Host-session=no; __Host-session=yes; __Host-session=late')).toBe('yes')
  expect(await valueIn('a=__Host-session=no')).toBeNull()
  expect(await valueIn('a=x __Host-session=no; __Host-session=yes')).toBe('yes')
  expect(await valueIn('  __Host-session=blank')).toBe('blank')
  expect(await valueIn('__Host-sessions=no; other=1')).toBeNull()
  expect(await valueIn('__Host-session=')).toBeNull()
})
