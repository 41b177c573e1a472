import { expect, test } from 'vitest'
import { COOKIE_SECONDS, type CookieName, cookieOf, hostCookie } from '../../app/request/cookie.server.ts'
import { REMEMBER_SECONDS } from '../../app/request/session-cookie.server.ts'
import { COOKIES } from '../../app/routes/privacy/cookies.ts'
import { SCRIPT_COOKIE_SECONDS } from '../../app/shell/script-cookie.ts'
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

/** Of every cookie that the sources name. */
const NAMED = [
  ...new Set(sources(['app', 'server']).flatMap(({ text }) => text.match(/__Host-[a-z]+\d?/g) ?? [])),
].sort()

test('every cookie that the sources name is on the list of those whose end is known, and no other name is there', () => {
  expect(Object.keys(COOKIE_SECONDS).sort()).toEqual(NAMED)
  const strangers = sources(['app', 'server']).filter(({ path, text }) => {
    return /document\.cookie\s*=/.test(text) && path !== 'app/shell/script-cookie.ts'
  })
  expect(strangers.map(({ path }) => path)).toEqual([])
  for (const name of ['__Host-leaving', '__Host-live'] as const)
    expect(COOKIE_SECONDS[name]).toBe(SCRIPT_COOKIE_SECONDS)
})

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const
/** "15 minutes" */
function inWords(seconds: number | null): string {
  if (seconds === null) return 'until you close the browser'
  const [unit, length] = UNITS.find(([, length]) => seconds % length === 0 && seconds >= length)!
  return `${seconds / length} ${unit}${seconds === length ? '' : 's'}`
}

test('the privacy page has of every cookie how long it is kept', () => {
  expect(Object.keys(COOKIES).sort()).toEqual(NAMED)
  for (const [name, { kept }] of Object.entries(COOKIES))
    expect(kept.split(';')[0], name).toBe(inWords(COOKIE_SECONDS[name as CookieName]))
  expect(COOKIES['__Host-buzz'].kept).toContain(`${inWords(REMEMBER_SECONDS)} with Remember Me`)
})

test('a cookie is set for as long as the list has it', async () => {
  const maxAge = async (name: Parameters<typeof hostCookie>[0]) =>
    /Max-Age=(\d+)/.exec(await hostCookie(name).serialize('x'))?.[1]
  expect(await maxAge('__Host-signup')).toBe('7200')
  expect(await maxAge('__Host-challenge')).toBe('900')
  expect(await maxAge('__Host-buzz')).toBeUndefined()
})
