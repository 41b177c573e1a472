import { expect, test } from 'vitest'
import { PROOF_COOKIE, SESSION_COOKIE } from '../../../app/request/session-cookie.server.ts'
import { minutes } from '../../../domain/shared/dates.ts'
import { type HolderOptions, Holders } from '../../../server/http/turns/holders.ts'

function holders(options: HolderOptions = {}) {
  const all = new Holders(options)
  const by = (token: string) => all.of({ headers: { authorization: `Bearer ${token}` } })
  return { all, by }
}

test('a request is its holder by a bearer token or a session; a proof makes nobody one', () => {
  const { all } = holders()
  all.note('a-token', 'Ann')
  const shown = [{ authorization: 'bearer  a-token' }, { cookie: `a=b; ${SESSION_COOKIE}=a-token; c=d` }]
  expect(shown.map((headers) => all.of({ headers }))).toEqual(Array(2).fill('Ann'))
  const others = [
    {},
    { authorization: 'Bearer another' },
    { authorization: 'Basic a-token' },
    { cookie: `${PROOF_COOKIE}=a-token` },
    { cookie: `other=a-token; x${SESSION_COOKIE}=a-token; ${SESSION_COOKIE}=` },
  ]
  expect(others.map((headers) => all.of({ headers }))).toEqual(Array(5).fill(undefined))
})

test('a token that was found dead, or was not seen alive for ten minutes, is known no more', () => {
  let now = 0
  const { all, by } = holders({ now: () => now })
  for (const token of ['one', 'two']) all.note(token, 'Ann')
  all.drop('one')
  expect([by('one'), by('two')]).toEqual([undefined, 'Ann'])
  now = minutes(9)
  all.note('two', 'Ann')
  now = minutes(18)
  expect(by('two')).toBe('Ann')
  now = minutes(20)
  expect(by('two')).toBe(undefined)
})

test('of one holder so many are known, and of all; those that were used last', () => {
  const { all, by } = holders({ tokens: 5, each: 2 })
  all.note('ben', 'Ben')
  for (let at = 0; at < 50; at++) all.note(`ann${at}`, 'Ann')
  expect(['ben', 'ann47', 'ann48', 'ann49'].map(by)).toEqual(['Ben', undefined, 'Ann', 'Ann'])
  for (let at = 0; at < 3; at++) all.note(`other${at}`, `Other ${at}`)
  expect(['ben', 'ann48', 'ann49', 'other0', 'other2'].map(by)).toEqual([undefined, 'Ann', 'Ann', 'Other 0', 'Other 2'])
})
