import { expect, test } from 'vitest'
import { SESSION_COOKIE } from '../../../app/request/session-cookie.server.ts'
import type { Client } from '../../../server/http/client.ts'
import { Holders } from '../../../server/http/turns/holders.ts'
import { type ContextDeps, createContextFor } from '../../../server/request-context.ts'

/** A request's own look at its session, where those in `alive` are Ann's. */
async function look(holders: Holders, alive: ReadonlySet<string>, url: string, headers: Record<string, string>) {
  const who = { member: 'Ann' }
  const services = { proofs: { find: async () => null }, loginGuard: {}, challenges: {}, credentials: {} }
  const readActing = async (token: string) => (alive.has(token) ? { who, frame: null } : null)
  const deps = { services, readActing, dispatch: async () => undefined } as unknown as ContextDeps
  const client = {
    vouch: (holder, token) => token && holders.note(token, holder),
    foundDead: (token) => holders.drop(token),
  } as Client
  const context = await createContextFor(deps)(new Request(url, { headers }), client)
  await context.viewer()
  await context.bearer()
  return holders.of({ headers: { cookie: headers.Cookie, authorization: headers.Authorization } })
}

test.each([
  ['session', 'http://localhost/discover', { Cookie: `${SESSION_COOKIE}=token` }],
  ['bearer token', 'http://localhost/api/matches', { Authorization: 'Bearer token' }],
])("a %s that a request showed is its holder's, until a request finds it ended", async (_what, url, headers) => {
  const holders = new Holders()
  expect(await look(holders, new Set(['token']), url, headers)).toBe('Ann')
  expect(await look(holders, new Set(), url, headers)).toBe(undefined)
})

test('a session that does not count for the address that is asked is nobody', async () => {
  const headers = { Cookie: `${SESSION_COOKIE}=token` }
  expect(await look(new Holders(), new Set(['token']), 'http://localhost/api/matches', headers)).toBe(undefined)
})
