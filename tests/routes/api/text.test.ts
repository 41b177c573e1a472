import { afterAll, beforeAll, expect, test } from 'vitest'
import { allCalls } from '../../../app/api/all-calls.server.ts'
import { statusesOf } from '../../../app/api/openapi.server.ts'
import { newcomer } from '../../support/newcomers.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { apiCalls } from './calls.ts'

let world: World
let ann: Person
let bea: Person
let now = new Date()
beforeAll(async () => {
  world = await startWorld({ now: () => now })
  ann = await world.member('Ann')
  bea = await world.member('Bea')
  await world.match(ann, bea)
  await world.settled()
}, 120_000)
afterAll(() => world?.stop())

const call = apiCalls(() => world)
const put = (body: object) => call('/users/me', { as: ann, method: 'PUT', body })
const write = (id: string, text: string) => call(`/chat/${bea.id}/messages`, { as: ann, body: { id, text } })
const report = (reason: string) => call('/report', { as: ann, body: { targetId: bea.id, reason } })
const EMOJI = '🙂'

test('an emoji is one character everywhere', async () => {
  expect((await write('long', EMOJI.repeat(4_000))).status).toBe(200)
  expect(await write('longer', EMOJI.repeat(4_001))).toMatchObject({
    status: 400,
    json: { error: 'A message has at most 4,000 characters.' },
  })
  const full = { firstName: EMOJI.repeat(50), bio: EMOJI.repeat(500), hobbies: [EMOJI.repeat(30)] }
  const favorites = [`like:${EMOJI.repeat(30)}`, `dislike:${EMOJI.repeat(30)}`]
  expect((await put({ ...full, favorites })).json.user).toMatchObject({ ...full, likes: [EMOJI.repeat(30)] })
  const over = { bio: EMOJI.repeat(501), hobbies: [EMOJI.repeat(31)] }
  expect((await put(over)).json.fields).toEqual({
    bio: 'Use at most 500 characters.',
    hobbies: 'Use at most 30 characters.',
  })
  expect((await put({ bio: 'x'.repeat(9_000) })).json.fields).toEqual({ bio: 'Use at most 500 characters.' })
  expect((await report(EMOJI.repeat(1_000))).status).toBe(200)
  expect((await report(EMOJI.repeat(1_001))).json.fields).toEqual({ reason: 'Use at most 1000 characters.' })
})

test('text of nothing that can be seen is none', async () => {
  for (const unseen of ['\u200b', '\u2060\ufeff', '\u202e']) {
    expect(await write('unseen', unseen)).toMatchObject({ status: 400, json: { error: 'Write something first.' } })
    expect(await report(unseen)).toMatchObject({ status: 400, json: { error: 'A reason is required.' } })
    expect(await put({ lastName: unseen })).toMatchObject({
      status: 400,
      json: { fields: { lastName: 'This cannot be empty.' } },
    })
    expect((await put({ favorites: [`like:${unseen}`] })).status).toBe(400)
    expect((await put({ bio: unseen, city: unseen })).json.user).toMatchObject({ bio: '', city: '' })
  }
  expect((await put({ city: '\u202eParis\n\u200f' })).json.user.city).toBe('Paris')
})

test('a newcomer has a name to be seen, which turns nothing round', async () => {
  const { signupToken, payload } = await newcomer(world)
  const unseen = { ...payload, signupToken, firstName: '\u200b', lastName: '\u2060\ufeff' }
  expect(await call('/auth/register-full', { body: unseen })).toMatchObject({
    status: 400,
    json: { fields: { firstName: expect.any(String), lastName: expect.any(String) } },
  })
  const made = await call('/auth/register-full', { body: { ...payload, signupToken, firstName: '\u202eAda' } })
  expect(made.json.user.firstName).toBe('Ada')
})

test('too many photos are told how many there may be', async () => {
  const { signupToken, payload } = await newcomer(world)
  for (const many of [1, 10]) {
    const photos = Array.from({ length: many }, (_, n) => `/media/${String(n).padStart(24, 'm')}`)
    expect(await call('/auth/register-full', { body: { ...payload, signupToken, photos } })).toMatchObject({
      status: 400,
      json: {
        error: 'Please complete all required sections.',
        fields: { photos: 'Please add 2 to 9 photos or videos.' },
      },
    })
  }
})

test('what is wrong with favorites is said of the tags', async () => {
  const fieldsOf = async (favorites: string[]) => (await put({ favorites })).json.fields
  expect(await fieldsOf(['like:tea', 'like:Tea '])).toEqual({ favorites: 'Choose each one once.' })
  expect(await fieldsOf([`dislike:${'x'.repeat(31)}`])).toEqual({ favorites: 'Use at most 30 characters.' })
  expect(await fieldsOf([`like:${'x'.repeat(5_000)}`])).toEqual({ favorites: 'Use at most 30 characters.' })
  expect(await fieldsOf([`voice:${'x'.repeat(2_049)}`])).toEqual({ favorites: 'That address is too long.' })
  expect(await fieldsOf(['tea'])).toEqual({ favorites: 'Use like:, dislike:, voice: or blur: tags.' })
  expect(await fieldsOf(Array.from({ length: 61 }, (_, n) => `like:${n}`))).toEqual({ favorites: 'That is too many.' })
  expect((await put({ favorites: ['like:tea', 'dislike:tea'] })).status).toBe(200)
})

test('a code of another type is as wrong as any other', async () => {
  const body = { email: ann.email, newPassword: 'copper-meadow-77-train' }
  const wrong = await call('/auth/reset-password', { body: { ...body, code: '000000' } })
  expect(wrong).toMatchObject({ status: 400, json: { error: 'Invalid or expired code.' } })
  for (const code of [123_456, null, ['000000'], {}, 'x'.repeat(3_000)])
    expect((await call('/auth/reset-password', { body: { ...body, code } })).json).toEqual(wrong.json)
  const unsent = await call('/auth/verify-code', { body: { email: ann.email, code: 'x' } })
  expect((await call('/auth/verify-code', { body: { email: ann.email, code: 123_456 } })).json).toEqual(unsent.json)
})

test('an address that cannot be is refused with a status that the call is described with', async () => {
  const answer = await call('/users/%00', { as: ann, method: 'GET' })
  const described = allCalls.find(({ path, method }) => path === '/users/:id' && method === 'GET')!
  expect(statusesOf(described)).toContain(answer.status)
})

test('a time zone is changed once in seven days, and the same again is no change', async () => {
  expect((await put({ timezone: 'Europe/Paris' })).json.user.timezone).toBe('Europe/Paris')
  const refused = { status: 400, json: { error: 'You can change your time zone again in 7 day(s).' } }
  expect(await put({ timezone: 'Asia/Tokyo', bio: 'Not kept' })).toMatchObject(refused)
  expect((await put({ timezone: 'Europe/Paris', bio: 'Kept' })).json.user.bio).toBe('Kept')
  expect((await put({ timezone: 'europe/paris' })).json.user.timezone).toBe('Europe/Paris')
  now = new Date(now.getTime() + 7 * 24 * 3_600_000)
  expect((await put({ timezone: 'asia/tokyo' })).json.user.timezone).toBe('Asia/Tokyo')
})

test('bytes that are no UTF-8 are no body, and nothing of them is kept', async () => {
  const headers = { Authorization: `Bearer ${ann.token}`, 'Content-Type': 'application/json' }
  const body = new Uint8Array(Buffer.concat([Buffer.from('{"bio":"a'), Buffer.from([0xff, 0xfe]), Buffer.from('b"}')]))
  const before = (await call('/users/me', { as: ann })).json
  const answer = await fetch(`${world.url}/api/users/me`, { method: 'PUT', headers, body })
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'Invalid request.' }])
  expect((await call('/users/me', { as: ann })).json).toEqual(before)
})
