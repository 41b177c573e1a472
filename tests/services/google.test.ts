import { HttpResponse } from 'msw'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createGoogle } from '../../services/google.ts'
import { type FakeGoogle, GOOGLE_CLIENT, startGoogle } from '../support/outside/google.ts'

let fake: FakeGoogle
beforeAll(async () => {
  fake = await startGoogle()
})
afterEach(() => fake.mend())
afterAll(() => fake.stop())

const start = (emailPepper = 'pepper') => createGoogle({ client: GOOGLE_CLIENT, emailPepper, now: () => new Date() })
const ann = { sub: '10769150350006150715113082367', email: 'ann@example.com' }

test('an ID token of Google names who signed in, by a key that does not hold the subject', async () => {
  const google = start()
  const identity = await google.verify(await fake.idToken(ann))
  expect(identity).toEqual({ googleKey: expect.stringMatching(/^[0-9a-f]{64}$/), email: 'ann@example.com' })
  const moved = await google.verify(await fake.idToken({ ...ann, email: 'ann@new.example' }))
  expect(moved?.googleKey).toBe(identity?.googleKey)
  const short = await google.verify(await fake.idToken({ ...ann, iss: 'accounts.google.com' }))
  expect(short?.googleKey).toBe(identity?.googleKey)
  expect((await start('salt').verify(await fake.idToken(ann)))?.googleKey).not.toBe(identity?.googleKey)
})

test('a token that is forged, old, for another site, of another issuer or of an unproven address names nobody', async () => {
  const google = start()
  const tokens = {
    forged: await fake.forged(ann),
    old: await fake.idToken({ ...ann, exp: -60 }),
    otherSite: await fake.idToken({ ...ann, aud: 'another-site.apps.example' }),
    otherIssuer: await fake.idToken({ ...ann, iss: 'https://accounts.example.com' }),
    unproven: await fake.idToken({ ...ann, email_verified: false }),
    noToken: 'none',
    unsigned: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(ann)).toString('base64url')}.`,
  }
  for (const [name, token] of Object.entries(tokens)) expect([name, await google.verify(token)]).toEqual([name, null])
})

test('a nonce that was asked for must stand in the token', async () => {
  const google = start()
  expect(await google.verify(await fake.idToken({ ...ann, nonce: 'mine' }), 'mine')).toMatchObject({ email: ann.email })
  expect(await google.verify(await fake.idToken({ ...ann, nonce: 'other' }), 'mine')).toBeNull()
  expect(await google.verify(await fake.idToken(ann), 'mine')).toBeNull()
  expect(await google.verify(await fake.idToken({ ...ann, nonce: 'of another flow' }))).toBeNull()
})

const AWAY = {
  'is down': () => new HttpResponse(null, { status: 503 }),
  'is asked too often': () => new HttpResponse(null, { status: 429 }),
  'answers a page': () => HttpResponse.html('<p>Sorry'),
  'answers without keys': () => HttpResponse.json({}),
  'cannot be reached': () => HttpResponse.error(),
}
test.each(Object.entries(AWAY))('where Google’s list of keys %s, no token is right or wrong', async (_, response) => {
  const google = start()
  fake.answer('keys', response)
  for (const token of [await fake.idToken(ann), await fake.forged(ann)])
    await expect(google.verify(token)).rejects.toMatchObject({ name: 'KeysAway' })
  fake.mend()
  expect(await google.verify(await fake.idToken(ann))).toMatchObject({ email: ann.email })
})

test('a token by a key that Google has not, and one that is none, name nobody', async () => {
  const google = start()
  const [, ...rest] = (await fake.idToken(ann)).split('.')
  const header = Buffer.from('{"alg":"RS256","kid":"made-up"}').toString('base64url')
  expect(await google.verify([header, ...rest].join('.'))).toBeNull()
  fake.answer('keys', AWAY['is down'])
  expect(await start().verify('none')).toBeNull()
})
