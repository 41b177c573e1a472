import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let ann: Person
beforeAll(async () => {
  world = await startWorld()
  ann = await world.member('Ann')
}, 120_000)
afterAll(() => world?.stop())

async function put(body: unknown, as = ann) {
  const response = await world.api('/users/me', { as, method: 'PUT', body: JSON.stringify(body) })
  return { status: response.status, json: await response.json() }
}
const own = async (as = ann) => (await world.api('/users/me', { as })).json()

test('tags of favorites become likes, dislikes and the blur', async () => {
  const { json } = await put({ favorites: ['like:tea', 'like:rain', 'dislike:noise', 'blur:blurred'] })
  expect(json.user).toMatchObject({ likes: ['tea', 'rain'], dislikes: ['noise'], blur: 'blurred' })
  expect(json.user.favorites).toEqual(['like:tea', 'like:rain', 'dislike:noise', 'blur:blurred'])
  expect((await put({ favorites: json.user.favorites })).json.user).toEqual(json.user)
  for (const favorites of [['tea'], ['blur:none'], ['like:'], [1], 'like:tea', [`like:${'x'.repeat(31)}`]])
    expect(await put({ favorites })).toMatchObject({ status: 400, json: { error: 'Could not update profile' } })
})

test('an empty mode is full with clear photos', async () => {
  const { json } = await put({ visibilityMode: '' })
  expect(json.user).toMatchObject({ visibilityMode: 'full', blur: 'clear', visibility: 'active' })
})

test('hidden makes invisible, and another mode visible again', async () => {
  expect((await put({ visibilityMode: 'hidden' })).json.user).toMatchObject({ visibility: 'invisible' })
  expect((await put({ visibilityMode: 'limited' })).json.user).toMatchObject({ visibility: 'active' })
})

test('of two equal changes at once each answer has the change', async () => {
  const stale: unknown[] = []
  for (let turn = 0; turn < 10; turn++) {
    const bio = `Bio ${turn}`
    for (const { json } of await Promise.all([put({ bio }), put({ bio })])) if (json.user.bio !== bio) stale.push(json)
  }
  expect(stale).toEqual([])
})

test('of a mode and a visibility that contradict each other the one that shows less counts', async () => {
  const sent = async (body: object) => (await put(body)).json.user
  for (const body of [
    { visibilityMode: 'auto', visibility: 'invisible' },
    { visibilityMode: 'hidden', visibility: 'active' },
  ])
    expect(await sent(body)).toMatchObject({ ...body, visibility: 'invisible' })
  const shown = { visibilityMode: 'auto', visibility: 'active' }
  expect(await sent(shown)).toMatchObject(shown)
})

test('one level of field visibility leaves the others', async () => {
  const before = await own()
  const { json } = await put({ fieldVisibility: { city: 'hidden' } })
  expect(json.user.fieldVisibility).toEqual({ ...before.fieldVisibility, city: 'hidden' })
})

test('what is not the member’s to change stays as it is', async () => {
  const before = await own()
  const protectedKeys = {
    id: 'x',
    _id: 'x',
    email: 'evil@example.com',
    dob: '1990-01-01',
    age: 99,
    zodiac: 'Leo',
    verified: true,
    kycStatus: 'verified',
    premiumTier: 'gold',
    consent: true,
    nameChangedAt: null,
    createdAt: 'now',
    status: 'suspended',
    registered: false,
    media: [],
    posts: [],
    likes: ['x'],
    blur: 'blurred',
    role: 'admin',
    lastOnline: 'now',
    lat: 1,
    lng: 2,
    password: 'x',
    token: 'x',
    genderChangedAt: null,
    constructor: 'x',
  }
  const { status, json } = await put(protectedKeys)
  expect(status).toBe(200)
  expect(json.user).toEqual(before)
  const polluting = await world.api('/users/me', { as: ann, method: 'PUT', body: '{"__proto__":{"verified":true}}' })
  expect((await polluting.json()).user).toEqual(before)
})

test('deactivated cannot be set', async () => {
  const { status, json } = await put({ visibility: 'deactivated' })
  expect([status, json.error]).toEqual([400, 'Could not update profile'])
  expect(json.fields).toHaveProperty('visibility')
})

test('restricted vibes name what is missing', async () => {
  const refused = { status: 403, json: { error: 'restricted', missing: ['premium', 'kyc', 'consent'] } }
  expect(await put({ vibe: 'ons' })).toEqual(refused)
  const response = await world.api('/discover?vibe=threesome', { as: ann })
  expect({ status: response.status, json: await response.json() }).toEqual(refused)
})

test('a new name waits for thirty days', async () => {
  expect((await put({ firstName: 'Anna' })).json.user.firstName).toBe('Anna')
  expect(await put({ firstName: 'Annie' })).toEqual({
    status: 400,
    json: { error: 'You can change your name again in 30 day(s).' },
  })
})

test('only own uploads may stand for the avatar and the voice', async () => {
  const bea = await world.member('Bea')
  const [mine, theirs] = [await own(), await own(bea)]
  for (const address of [theirs.avatar, 'https://evil.example/a.jpg', 'javascript:alert(1)', '/media/../etc', ''])
    expect(await put({ avatar: address })).toEqual({ status: 400, json: { error: 'Invalid media' } })
  expect(await put({ voiceIntro: mine.avatar })).toEqual({ status: 400, json: { error: 'Invalid media' } })
  const second = mine.media.find((item: { url: string }) => item.url !== mine.avatar)
  expect((await put({ avatar: second.url })).json.user.avatar).toBe(second.url)
  expect((await put({ avatar: new URL(mine.avatar, world.publicUrl).href })).json.user.avatar).toBe(mine.avatar)
})

test('a deactivated account comes back by one word, and takes no other', async () => {
  const eve = await world.member('Eve')
  await world.account(eve, 'Deactivate')
  await world.settled()
  const barred = { status: 403, json: { error: 'Account deactivated', code: 'deactivated' } }
  expect(await put({ visibility: 'active', bio: 'x' }, eve)).toEqual(barred)
  expect(await put({ bio: 1 }, eve)).toEqual(barred)
  expect((await own(eve)).visibility).toBe('deactivated')
  expect((await put({ visibility: 'active' }, eve)).json.user).toMatchObject({ status: 'active', visibility: 'active' })
})
