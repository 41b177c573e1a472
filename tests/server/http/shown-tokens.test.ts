import { expect, test } from 'vitest'
import { PROOF_COOKIE, SESSION_COOKIE } from '../../../app/request/session-cookie.server.ts'
import type { Client } from '../../../server/http/client.ts'
import { createMediaHandler } from '../../../server/http/raw/media.ts'
import { Holders } from '../../../server/http/turns/holders.ts'
import { type ContextDeps, createContextFor } from '../../../server/request-context.ts'
import { ann, mediaId } from '../../support/people.ts'

const [ADDRESS, PROOF] = ['the key of an address', 'a-proof']
const [ALIVE, DEAD] = ['alive', 'dead']

const proofs = { find: async (token: string) => (token === PROOF ? { id: 'p', emailKey: ADDRESS } : null) }
const sessions = { find: async (token: string) => (token === ALIVE ? { member: ann } : null) }

/** What a request vouched for and what it found dead; `holderOf`: who would be asked for by a token after it. */
function noticing() {
  const holders = new Holders()
  const seen = { vouched: [] as string[], dead: [] as string[] }
  for (const token of [ALIVE, DEAD, PROOF]) holders.note(token, 'whoever had it')
  const client = {
    ip: '192.0.2.1',
    vouch: (holder, token) => {
      seen.vouched.push(holder)
      if (token) holders.note(token, holder)
    },
    foundDead: (token) => {
      seen.dead.push(token)
      holders.drop(token)
    },
  } as Client
  const holderOf = (token: string) => holders.of({ headers: { authorization: `Bearer ${token}` } })
  return { client, seen, holderOf }
}

async function contextOf(client: Client) {
  const services = { proofs, sessions, loginGuard: {}, challenges: {}, credentials: {} }
  const deps = { services, dispatch: async () => undefined } as unknown as ContextDeps
  return createContextFor(deps)(new Request('http://localhost/register'), client)
}

test('a proof that a page looks up vouches for its connection, and makes its token nobody’s', async () => {
  const { client, seen, holderOf } = noticing()
  const context = await contextOf(client)
  expect(await context.proofs.find(PROOF)).toMatchObject({ emailKey: ADDRESS })
  expect(await context.proofs.find('made-up')).toBe(null)
  expect(seen).toEqual({ vouched: [ADDRESS], dead: [] })
  expect(holderOf(PROOF)).toBe('whoever had it')
})

test('a session that a page looks up and finds ended is nobody’s any more', async () => {
  const { client, seen, holderOf } = noticing()
  const context = await contextOf(client)
  for (const token of [ALIVE, DEAD]) await context.sessions.find(token)
  expect(seen).toEqual({ vouched: [], dead: [DEAD] })
  expect([ALIVE, DEAD].map(holderOf)).toEqual(['whoever had it', undefined])
})

const cookie = (session: string | null, proof: string | null) =>
  [session && `${SESSION_COOKIE}=${session}`, proof && `${PROOF_COOKIE}=${proof}`].filter(Boolean).join('; ')
const OWN = { id: mediaId('own'), owner: { member: ann }, purpose: 'photo' }
const UPLOAD = { id: mediaId('upload'), owner: { proof: 'p' }, purpose: 'photo' }

/** A file that is asked for. */
async function asks(media: typeof OWN | typeof UPLOAD, headers: Record<string, string>, signature = '') {
  const { client, seen, holderOf } = noticing()
  const ok = async () => ({ ok: true })
  const services = {
    limits: { take: ok, peek: ok },
    media: { openFile: () => null },
    mediaLinks: { verify: (_id: string, given: string) => (given === 'signed' ? ann : null) },
    proofs,
  }
  const find = async ({ session, signer }: { session: string | null; signer: string | null }) => {
    const viewer = signer ?? (session === ALIVE ? ann : null)
    return {
      viewer,
      stored: { media: { ...media, kind: 'image' }, forms: [] },
      isAllowed: viewer !== null && media === OWN,
    }
  }
  const handler = createMediaHandler(services as never, find as never)
  await handler(new Request(`http://localhost/media/${media.id}${signature}`, { headers }), client)
  return { ...seen, holders: [ALIVE, DEAD, PROOF].map(holderOf) }
}
const ANYBODY = 'whoever had it'

test.each([
  ['a session', OWN, cookie(ALIVE, null), { vouched: [ann], dead: [], holders: [ann, ANYBODY, ANYBODY] }],
  [
    'a session that has ended',
    OWN,
    cookie(DEAD, null),
    { vouched: [], dead: [DEAD], holders: [ANYBODY, undefined, ANYBODY] },
  ],
  ['a proof', UPLOAD, cookie(null, PROOF), { vouched: [ADDRESS], dead: [], holders: [ANYBODY, ANYBODY, ANYBODY] }],
  [
    'a proof beside a session',
    UPLOAD,
    cookie(ALIVE, PROOF),
    { vouched: [ADDRESS], dead: [], holders: [ANYBODY, ANYBODY, ANYBODY] },
  ],
  [
    'a proof beside a session that has ended',
    UPLOAD,
    cookie(DEAD, PROOF),
    { vouched: [ADDRESS], dead: [DEAD], holders: [ANYBODY, undefined, ANYBODY] },
  ],
  [
    'a session that may not have the file',
    UPLOAD,
    cookie(ALIVE, null),
    { vouched: [], dead: [], holders: [ANYBODY, ANYBODY, ANYBODY] },
  ],
] as const)('a file asked for by %s makes only a live session its holder’s', async (_what, media, Cookie, noticed) => {
  expect(await asks(media, { Cookie })).toEqual(noticed)
})

test('a file asked for by a signature vouches for the connection alone, whatever token comes with it', async () => {
  const noticed = { vouched: [ann], dead: [], holders: [ANYBODY, ANYBODY, ANYBODY] }
  expect(await asks(OWN, { Cookie: cookie(ALIVE, PROOF) }, '?sig=signed')).toEqual(noticed)
})
