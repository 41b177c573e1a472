import { afterAll, beforeAll, expect, test } from 'vitest'
import { openersFor } from '../../../app/words/openers.ts'
import { ageOn } from '../../../domain/shared/dates.ts'
import { metresBetween, toMiles } from '../../../domain/shared/grid.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { START } from '../../../domain/shared/recorded.ts'
import { countAccounts } from '../../../projections/accounts/queries.ts'
import { countUnread } from '../../../projections/conversations/unread.ts'
import { findSeeker, getDeck } from '../../../projections/discover/queries.ts'
import { getNotificationCounts } from '../../../projections/notifications/queries.ts'
import { findMatch, getOwnCard } from '../../../projections/profiles/queries.ts'
import { listLikedYou, listMatches } from '../../../projections/relations/queries.ts'
import { galleryOf } from '../../../server/demo/gallery.ts'
import { DEMO_LOCATION } from '../../../server/demo/locations.ts'
import { DEMO_LOGIN, findDemoMember } from '../../../server/demo/login.ts'
import { makePersona } from '../../../server/demo/people.ts'
import { createChance } from '../../../server/demo/random.ts'
import { ensureDemoWorld, seedDemoWorld } from '../../../server/demo/world.ts'
import { logIn } from '../../../usecases/identity/log-in.ts'
import { startWorld, type World } from '../../support/world.ts'

const MEMBERS = 12
const now = () => new Date()
const printed: string[] = []
let world: World
let me: MemberId
const deps = () => ({ core: world.core, services: world.services, now })
const ensure = () =>
  ensureDemoWorld({ ...deps(), dataDir: world.dataDir, print: (text) => void printed.push(text), members: MEMBERS })

beforeAll(async () => {
  world = await startWorld({ web: false })
  expect(await ensure()).toEqual(DEMO_LOGIN)
  me = (await findDemoMember(world.services)) as MemberId
})
afterAll(() => world.stop())

test('a first start makes the demo world once', async () => {
  const head = await world.core.log.head()
  expect(await ensure()).toEqual(DEMO_LOGIN)
  expect(await world.core.log.head()).toBe(head)
  expect(printed).toHaveLength(1)
  expect(await countAccounts(world.read)).toEqual({ members: 0, demo: MEMBERS })
})

test('its members are adults with profiles, and pictures that can be opened', async () => {
  const profiles = await world.read.selectFrom('profile').selectAll().execute()
  expect(profiles).toHaveLength(MEMBERS)
  for (const { dob, started, avatar, interests, member } of profiles) {
    expect(ageOn(dob, now())).toBeGreaterThanOrEqual(18)
    expect(started).toBe(true)
    expect(interests.length).toBeGreaterThan(0)
    const files = await world.services.media.list({ member: member as MemberId })
    expect(files.length).toBeGreaterThanOrEqual(2)
    const pictures = files.filter(({ kind }) => kind === 'image')
    expect(pictures.map(({ width, height }) => `${width} × ${height}`)).toEqual(pictures.map(() => '1080 × 1350'))
    expect(files.map(({ id }) => id)).toContain(avatar)
    const opened = await world.services.media.open(avatar as string)
    expect(opened.ok && opened.media.mime).toBe('image/webp')
    if (opened.ok) await opened.body.cancel()
  }
})

test.each(['Beach', 'Travel'] as const)('a film goes with %s, and is taken as any upload is', async (interest) => {
  const persona = makePersona(createChance(1), now())
  const keen = { ...persona, answers: { ...persona.answers, interests: [interest] } }
  const galleries = Array.from({ length: 20 }, (_, seed) => galleryOf(createChance(seed), keen))
  const film = galleries.flat().find(({ kind }) => kind === 'video')!
  const [file, still] = await Promise.all([film.file(), film.still?.()])
  expect(file.length).toBeLessThan(512 * 1024)
  const taken = await world.services.media.upload({ owner: { member: me }, purpose: 'photo', file, still })
  expect(taken.ok && taken.media).toMatchObject({ kind: 'video', mime: 'video/webm', width: 720, height: 900 })
  expect(taken.ok && taken.media.seconds).toBeCloseTo(4, 0)
})

test('everybody has a location, most of them nearby', async () => {
  const cells = await world.read.selectFrom('member_cell').selectAll().execute()
  expect(cells).toHaveLength(MEMBERS)
  const near = cells.filter((cell) => toMiles(metresBetween(cell, DEMO_LOCATION)) <= 15)
  expect(near.length).toBeGreaterThan(MEMBERS / 2)
})

test('the log alone contains all of it, and every event decodes', async () => {
  const stored = await world.core.log.readAll(START, 5_000)
  const events = await world.core.codec.decode(stored)
  const types = new Set(events.map(({ type }) => type))
  for (const type of [
    'MemberRegistered',
    'ProfileStarted',
    'BioChanged',
    'MediaAdded',
    'Matched',
    'MessageSent',
    'MessagesRead',
  ])
    expect(types).toContain(type)
  const registered = events.flatMap((event) => (event.type === 'MemberRegistered' ? [event.demo] : []))
  expect(registered).toEqual(Array.from({ length: MEMBERS }, () => true))
})

test('the demo login signs in, to matches, an unread conversation, likes, notifications and a deck', async () => {
  const signedIn = await logIn(world.context, { ...DEMO_LOGIN, label: 'A test' })
  expect(signedIn.ok && signedIn.value.member).toBe(me)
  expect(await world.services.checkPassword(DEMO_LOGIN.password, DEMO_LOGIN)).toEqual({ ok: true })
  expect((await listMatches(world.read, me)).items.length).toBeGreaterThanOrEqual(2)
  expect((await countUnread(world.read, me)).total).toBeGreaterThan(0)
  expect((await listLikedYou(world.read, me, { now: now(), eligible: false })).items.length).toBeGreaterThan(0)
  expect((await getNotificationCounts(world.read, me)).total).toBeGreaterThan(2)
  expect((await getDeck(world.read, await findSeeker(world.read, me, now()), {}, now())).users.length).toBeGreaterThan(
    0,
  )
})

test('nobody can sign in as another demo member', async () => {
  const { rows } = await world.core.storage.pool.query<{ member: string }>(
    'select member from app.credential where password_hash is not null',
  )
  expect(rows).toEqual([{ member: me }])
})

test('seeding again adds members and likes, and keeps the login', async () => {
  const matches = await listMatches(world.read, me)
  const progress: number[] = []
  const added = await seedDemoWorld(deps(), { members: 4, seed: 2, onProgress: (done) => void progress.push(done) })
  expect(added.members).toBe(4)
  expect(progress).toEqual([1, 2, 3, 4])
  expect(await countAccounts(world.read)).toEqual({ members: 0, demo: MEMBERS + 4 })
  expect(await findDemoMember(world.services)).toBe(me)
  expect(await listMatches(world.read, me)).toEqual(matches)
})

test('each of its matches is offered openers of their own', async () => {
  const own = await getOwnCard(world.read, me)
  const matches = (await listMatches(world.read, me)).items
  const offered = await Promise.all(
    matches.map(async ({ id }) =>
      openersFor({ me: own, other: (await findMatch(world.read, me, id, now()))!, now: now() }),
    ),
  )
  expect(offered.length).toBeGreaterThan(2)
  expect(new Set(offered.map((three) => three.join(' '))).size).toBe(offered.length)
})
