import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_FIELD_VISIBILITY } from '../../../domain/profile/choices.ts'
import { getSelfAs } from '../../../projections/profiles/queries.ts'
import type { Card } from '../../../projections/view/present.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let ann: Person
beforeAll(async () => {
  world = await startWorld()
  ann = await world.member('Ann', { location: { lat: 59.91, lng: 10.75 } })
})
afterAll(() => world.stop())

const NOBODY = '0'.repeat(24)
const open = async (path: string, as: Person) => {
  const answer = await world.page(path, { as })
  return { status: answer.status, to: answer.headers.get('Location'), html: await answer.text() }
}
const send = (path: string, as: Person, fields: Record<string, string>) =>
  world.page(path, { as, method: 'POST', body: new URLSearchParams(fields) })

test('a match sees everything that is not hidden, with shared interests marked', async () => {
  const bea = await world.member('Bea', { interests: ['Music', 'Art'], lastName: 'Lindqvist' })
  const fieldVisibility = { ...DEFAULT_FIELD_VISIBILITY, dislikes: 'hidden' as const }
  await world.edit(bea, {
    bio: 'Bakes at dawn',
    height: 172,
    vibe: 'flirty',
    likes: ['rain'],
    dislikes: ['noise'],
    fieldVisibility,
  })
  await world.match(ann, bea)
  await world.settled()
  for (const path of [`/viewProfile/${bea.id}`, `/viewprofile/${bea.id}`, `/view/${bea.id}`]) {
    const { status, html } = await open(path, ann)
    expect(status).toBe(200)
    for (const shown of [
      'Lindqvist',
      'Bakes at dawn',
      '172 cm',
      'Flirty',
      'rain',
      `/chat/${bea.id}`,
      `/unmatch/${bea.id}`,
    ])
      expect(html, path).toContain(shown)
    expect(html).toMatch(/Music<span class="visually-hidden"> \(in common\)/)
    expect(html).not.toMatch(/Art<span class="visually-hidden"> \(in common\)/)
    for (const kept of ['noise', bea.email, '1994-04-12', 'Profile locked']) expect(html, path).not.toContain(kept)
  }
})

test('a preview is the short form even for a match', async () => {
  const bob = await world.member('Bob', { visibilityMode: 'full', lastName: 'Okonkwo' })
  await world.edit(bob, { bio: 'x'.repeat(300), height: 181 })
  await world.match(ann, bob)
  await world.settled()
  const { html } = await open(`/preview/${bob.id}`, ann)
  expect(html).toContain('x'.repeat(160))
  for (const kept of ['x'.repeat(161), '181 cm', 'Okonkwo']) expect(html).not.toContain(kept)
})

test('to a stranger, full mode shows the public fields on /viewProfile and the short form on /view', async () => {
  const cat = await world.member('Cat', { visibilityMode: 'full', lastName: 'Ferreira' })
  await world.edit(cat, {
    height: 165,
    orientation: 'Asexual',
    fieldVisibility: { ...DEFAULT_FIELD_VISIBILITY, orientation: 'matches' },
  })
  await world.settled()
  const whole = await open(`/viewProfile/${cat.id}`, ann)
  expect(whole.html).toContain('165 cm')
  expect((await open(`/view/${cat.id}`, ann)).html).not.toContain('165 cm')
  for (const kept of ['Asexual', 'Ferreira', `/chat/${cat.id}`, `/unmatch/${cat.id}`])
    expect(whole.html).not.toContain(kept)
})

test('an auto profile is locked: name, age, distance band and blurred photos, and Buzz to Unlock', async () => {
  const dan = await world.member('Dan', { location: { lat: 59.95, lng: 10.8 } })
  await world.edit(dan, { bio: 'A secret for later' })
  await world.settled()
  for (const path of [`/viewProfile/${dan.id}`, `/view/${dan.id}`]) {
    const { html } = await open(path, ann)
    for (const shown of ['Profile locked', 'Buzz to Unlock', 'less than', 'blurred until you match'])
      expect(html).toContain(shown)
    expect(html).not.toContain('A secret for later')
  }
})

test('buzzing by plain form waits, can be taken back, and a buzz back leads to the match', async () => {
  const [eve, fay] = [await world.member('Eve'), await world.member('Fay')]
  const here = `/viewProfile/${fay.id}`
  expect((await send(here, eve, { intent: 'buzz' })).headers.get('Location')).toBe(here)
  await world.settled()
  expect((await open(here, eve)).html).toContain('You buzzed Fay.')
  const again = await send(here, eve, { intent: 'buzz' })
  expect([again.status, (await again.text()).includes('You&#x27;ve already buzzed this user.')]).toEqual([400, true])
  expect((await send(here, eve, { intent: 'withdraw' })).status).toBe(302)
  expect((await send(`/viewProfile/${eve.id}`, fay, { intent: 'buzz' })).status).toBe(302)
  await world.settled()
  expect((await open(here, eve)).html).toContain('Fay buzzed you.')
  const match = await send(here, eve, { intent: 'buzz' })
  expect(match.headers.get('Location')).toBe(`/match/${fay.id}`)
})

test('blocked-me, hidden and deactivated answer alike, and nobody answers 404', async () => {
  const [gus, hal, ivy] = [
    await world.member('Gus'),
    await world.member('Hal', { visibilityMode: 'hidden' }),
    await world.member('Ivy'),
  ]
  await world.block(gus, ann)
  await world.account(ivy, 'Deactivate')
  await world.settled()
  const heading = (html: string) => /<h1>([^<]*)<\/h1>/.exec(html)?.[1]
  for (const who of [gus, hal, ivy]) {
    const [whole, preview] = [await open(`/viewProfile/${who.id}`, ann), await open(`/preview/${who.id}`, ann)]
    expect([whole.status, heading(whole.html)]).toEqual([403, 'Cannot view profile.'])
    expect([preview.status, heading(preview.html)]).toEqual([403, 'Profile requires a match to view.'])
    expect(whole.html + preview.html).not.toContain(who.name)
    expect((await open(`/block/${who.id}`, ann)).html).not.toContain(who.name)
  }
  for (const id of [NOBODY, 'no-id']) {
    const { status, html } = await open(`/viewProfile/${id}`, ann)
    expect([status, heading(html), html.includes('Go Back')]).toEqual([404, 'Profile not found.', true])
  }
})

test('the own address leads to the own profile, and a visitor to the login page', async () => {
  for (const path of ['viewProfile', 'view', 'preview', 'block', 'unmatch', 'report'])
    expect((await open(`/${path}/${ann.id}`, ann)).to).toBe('/profile')
  expect((await world.page('/profile')).headers.get('Location')).toBe('/login')
})

test('strangers are counted once each, and too many of them are refused', async () => {
  const strict = await startWorld({ rateLimits: true })
  try {
    const [jim, kim, lea] = [await strict.member('Jim'), await strict.member('Kim'), await strict.member('Lea')]
    const view = async (who: Person) => (await strict.page(`/viewProfile/${who.id}`, { as: jim })).status
    const seen = Array.from({ length: 199 }, (_, n) => `somebody ${n}`)
    await strict.services.limits.takeEach('VIEW', jim.id, seen)
    expect([await view(kim), await view(kim), await view(lea), await view(kim)]).toEqual([200, 200, 429, 200])
  } finally {
    await strict.stop()
  }
})

test.each(['auto', 'limited', 'full'] as const)(
  'the owner of a profile that is %s sees all that its card shows',
  async (mode) => {
    const gil = await world.member('Gil', { location: { lat: 59.91, lng: 10.75 }, interests: ['Music'] })
    await world.edit(gil, { bio: 'Bakes at dawn', vibe: 'friends', visibilityMode: mode })
    await world.settled()
    const { users } = (await (await world.api('/discover', { as: ann })).json()) as { users: Card[] }
    const { photos, ...card } = users.find(({ id }) => id === gil.id)!
    const { user, access } = await getSelfAs(world.read, gil.id, { audience: 'everyone', now: new Date() })
    const { distanceMeters: _metres, distanceBand: _band, visibilityMode: _mode, ...facts } = card
    expect(facts).toMatchObject({ bio: 'Bakes at dawn', interests: ['Music'] })
    expect(user).toMatchObject(facts)
    expect(user?.photos).toEqual(photos)
    expect(access).toBe('preview')
  },
)
