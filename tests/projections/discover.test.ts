import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DomainEvent } from '../../domain/all-events.ts'
import { REBUZZ_MS } from '../../domain/pair/limits.ts'
import type { VisibilityMode } from '../../domain/profile/choices.ts'
import { addMs } from '../../domain/shared/dates.ts'
import { cellAt, DISCOVER_CELL_M } from '../../domain/shared/grid.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { allProjections } from '../../projections/all-projections.ts'
import { discover } from '../../projections/discover/project.ts'
import { findCostliestFilter, findSeeker, getDeck, listCandidates } from '../../projections/discover/queries.ts'
import { candidate } from '../../projections/discover/table.ts'
import {
  ann,
  bea,
  blocked,
  buzzed,
  erased,
  joined,
  matched,
  mediaId,
  memberId,
  minute,
  T0,
  unmatched,
} from '../support/people.ts'
import { project } from '../support/project.ts'
import { type ReadModels, readModels } from '../support/read-db.ts'
import { recorded } from '../support/recorded.ts'
import { wrong } from '../support/wrong.ts'

let read: ReadModels
beforeAll(async () => {
  read = await readModels()
})
afterAll(() => read.close())

type Spot = [lat: number, lng: number]
const placeOf = (name: string, [lat, lng]: Spot) => {
  const { row, col, ...centre } = cellAt({ lat, lng }, DISCOVER_CELL_M)
  return { member: memberId(name) as string, cell_row: row, cell_col: col, ...centre }
}
/** About so many miles north of where Ann is. */
const north = (miles: number): Spot => [48.853 + miles / 69.09, 2.35]
const HERE = north(0)

async function having(events: DomainEvent[], spots: Record<string, Spot> = {}) {
  const member_cell = Object.entries(spots).map(([name, spot]) => placeOf(name, spot))
  const names = [
    ...new Set(events.flatMap((event) => (event.type === 'ProfileStarted' ? [event.firstName as string] : []))),
  ]
  const media_blur = names.map((name) => ({ original: mediaId(`${name}1`), blurred: `blur${name}` }))
  await read.fill(project(allProjections, recorded(...events)), { member_cell, media_blur })
}
const seeker = (member: MemberId) => findSeeker(read.db, member, T0)
const deck = async (filters = {}, now = T0) =>
  (await listCandidates(read.db, await seeker(ann), filters, now)).map(({ firstName }) => firstName)
const people = (...names: string[]) => names.flatMap((name) => joined(name))
const preferring = (ageRange: [number, number], distanceMiles: number) => ({ preferences: { ageRange, distanceMiles } })

test('a card of the deck shows what a stranger may know', async () => {
  await having(people('Ann', 'Bea'), { Ann: HERE, Bea: north(3) })
  expect(await listCandidates(read.db, await seeker(ann), {}, T0)).toEqual([
    {
      id: bea,
      firstName: 'Bea',
      age: 29,
      distanceMeters: expect.any(Number),
      distanceBand: 'less than 5 mi',
      photos: [{ url: '/media/blurBea', blurred: true }],
      interests: ['Music'],
      vibe: 'serious',
      bio: '',
      verified: false,
      visibilityMode: 'auto',
    },
  ])
})

test('the nearest cells come first, and who has no location last and without a distance', async () => {
  await having(people('Ann', 'Far', 'Near', 'Lost', 'Mid'), { Ann: HERE, Far: north(40), Near: HERE, Mid: north(4) })
  expect(await deck()).toEqual(['Near', 'Mid', 'Far', 'Lost'])
  const cards = await listCandidates(read.db, await seeker(ann), {}, T0)
  expect(cards.map(({ distanceBand }) => distanceBand)).toEqual([
    'less than 0.5 mi',
    'less than 5 mi',
    'less than 50 mi',
    undefined,
  ])
})

test('a viewer without a location sees all who fit, without distances', async () => {
  await having(people('Ann', 'Bea', 'Cat'), { Bea: HERE })
  expect((await deck({ distanceMiles: 1 })).sort()).toEqual(['Bea', 'Cat'])
  expect((await listCandidates(read.db, await seeker(ann), {}, T0)).some((card) => 'distanceMeters' in card)).toBe(
    false,
  )
})

test('gender, age and distance fit both ways', async () => {
  const events = [
    ...joined('Ann', { gender: 'Female', interestedIn: ['male'], dob: '2000-06-15', ...preferring([25, 35], 10) }),
    ...joined('Yes', { gender: 'Male', interestedIn: ['female'], dob: '2000-01-01' }),
    ...joined('Woman', { gender: 'Female', interestedIn: ['female'] }),
    ...joined('Gay', { gender: 'Male', interestedIn: ['male'] }),
    ...joined('Young', { gender: 'Male', dob: '2007-01-01' }),
    ...joined('WantsOlder', { gender: 'Male', ...preferring([40, 50], 1000) }),
    ...joined('TooFar', { gender: 'Male' }),
    ...joined('WantsNearer', { gender: 'Male', ...preferring([18, 100], 2) }),
  ]
  const spots = { Ann: HERE, Yes: north(5), Woman: HERE, Gay: HERE, Young: HERE, WantsOlder: HERE }
  await having(events, { ...spots, TooFar: north(15), WantsNearer: north(5) })
  expect(await deck()).toEqual(['Yes'])
})

test('an age that is asked for alone opens the other end where the preferred range does not reach it', async () => {
  const aged = (name: string, birthYear: number) => joined(name, { dob: `${birthYear}-01-01` })
  const year = T0.getUTCFullYear()
  await having([
    ...joined('Ann', preferring([25, 40], 1000)),
    ...[20, 30, 45, 70].flatMap((age) => aged(`Of${age}`, year - age)),
  ])
  const asked = async (filters: object) => (await deck(filters)).sort()
  expect(await asked({ ageMin: 42 })).toEqual(['Of45', 'Of70'])
  expect(await asked({ ageMax: 24 })).toEqual(['Of20'])
  expect(await asked({ ageMin: 28 })).toEqual(['Of30'])
  expect(await asked({ ageMax: 35 })).toEqual(['Of30'])
  expect(await asked({ ageMin: 40 })).toEqual([])
  expect(await asked({ ageMin: 42, ageMax: 50 })).toEqual(['Of45'])
})

test('a birthday counts from its own day on, also on the 29th of February', async () => {
  await having([...joined('Ann'), ...joined('Leap', { dob: '2004-02-29' })])
  const on = (day: string) => deck({ ageMin: 26 }, new Date(`${day}T12:00:00Z`))
  expect([await on('2030-02-28'), await on('2030-03-01')]).toEqual([[], ['Leap']])
  expect(await deck({ ageMax: 25 }, new Date('2030-02-28T12:00:00Z'))).toEqual(['Leap'])
})

test.each([
  ['liked', [buzzed(ann, bea)]],
  ['matched', matched(ann, bea)],
  ['blocked by the viewer', [blocked(ann, bea)]],
  ['who blocked the viewer', [blocked(bea, ann)]],
  ['skipped', [{ type: 'Skipped', by: ann, target: bea, until: minute(5), at: T0 } as const]],
  ['deactivated', [{ type: 'AccountDeactivated', member: bea, at: T0 } as const]],
  ['suspended', [{ type: 'AccountSuspended', member: bea, reason: '', at: T0 } as const]],
  ['erased', [erased(bea)]],
  [
    'hidden',
    [{ type: 'VisibilityModeChanged', member: bea, visibilityMode: 'hidden' as VisibilityMode, at: T0 } as const],
  ],
  ['invisible', [{ type: 'VisibilityChanged', member: bea, visibility: 'invisible', at: T0 } as const]],
  ['left with one picture', [{ type: 'MediaRemoved', member: bea, media: mediaId('Bea2'), at: T0 } as const]],
])('nobody comes who is %s', async (_what, events) => {
  await having([...people('Ann', 'Bea', 'Cat'), ...events], { Ann: HERE, Bea: HERE })
  expect(await deck()).toEqual(['Cat'])
})

test('who likes the viewer comes, and who was skipped comes back when the time is over', async () => {
  const skip: DomainEvent = { type: 'Skipped', by: ann, target: bea, until: minute(5), at: T0 }
  await having([...people('Ann', 'Bea', 'Cat'), buzzed(memberId('Cat'), ann), skip])
  expect(await deck({}, minute(4))).toEqual(['Cat'])
  expect((await deck({}, minute(6))).sort()).toEqual(['Bea', 'Cat'])
})

test('two who unmatched are off each other’s deck until they may buzz again', async () => {
  await having([...people('Ann', 'Bea', 'Cat'), ...matched(ann, bea), unmatched(bea, ann)])
  const decks = async (now: Date) => {
    const sees = async (who: MemberId) =>
      (await listCandidates(read.db, await seeker(who), {}, now)).map(({ firstName }) => firstName).sort()
    return [await sees(ann), await sees(bea)]
  }
  const apart = [['Cat'], ['Cat']]
  expect(await decks(T0)).toEqual(apart)
  expect(await decks(addMs(T0, REBUZZ_MS - 1))).toEqual(apart)
  expect(await decks(addMs(T0, REBUZZ_MS))).toEqual([
    ['Bea', 'Cat'],
    ['Ann', 'Cat'],
  ])
})

test('distance 0 is the own cell and its neighbours, 1000 is no limit', async () => {
  const spots = { Ann: HERE, Bea: HERE, Cat: north(0.63), Dan: north(1.5), Eve: [-33.86, 151.2] as Spot }
  await having(people('Ann', 'Bea', 'Cat', 'Dan', 'Eve'), spots)
  expect(await deck({ distanceMiles: 0 })).toEqual(['Bea', 'Cat'])
  expect(await deck({ distanceMiles: 1000 })).toEqual(['Bea', 'Cat', 'Dan', 'Eve'])
})

test('a location across the date line is near', async () => {
  await having(people('Ann', 'Bea'), { Ann: [-17.8, 179.99], Bea: [-17.8, -179.99] })
  expect(await deck({ distanceMiles: 5 })).toEqual(['Bea'])
})

test('filters meet shown fields only: a hidden field is found by no filter', async () => {
  const hide = (name: string): DomainEvent => ({
    type: 'FieldVisibilitySet',
    member: memberId(name),
    at: T0,
    fieldVisibility: wrong({ age: 'hidden', interests: 'matches', lookingFor: 'hidden' }),
  })
  await having([...people('Ann', 'Open', 'Shut'), hide('Shut')])
  expect(await deck({ interests: ['Music', 'Yoga'] })).toEqual(['Open'])
  expect(await deck({ vibe: 'serious' })).toEqual(['Open'])
  expect(await deck({ ageMin: 29, ageMax: 29 })).toEqual(['Open'])
})

test.each([
  ['2000-06-15', [30, 34]],
  ['2011-06-15', [18, 24]],
])('a hidden age (born %s) is found in bands, by the age of the year: no birthday moves it', async (dob, ages) => {
  const hide = { type: 'FieldVisibilitySet', member: memberId('Shut'), at: T0, fieldVisibility: { age: 'hidden' } }
  await having([...people('Ann'), ...joined('Shut', { dob }), wrong(hide)])
  for (const month of [0, 5, 6, 11]) {
    const found = []
    for (const age of [18, 24, 25, 29, 30, 34, 35])
      if ((await deck({ ageMin: age, ageMax: age }, new Date(Date.UTC(2030, month, 28)))).length > 0) found.push(age)
    expect(found).toEqual(ages)
  }
})

test('a private vibe is a filter for those who hold it, a restricted one for the eligible', async () => {
  const vibe = (name: string, value: string): DomainEvent => ({
    type: 'VibeChanged',
    member: memberId(name),
    vibe: value,
    at: T0,
  })
  const flirts = [vibe('Bea', 'flirty'), vibe('Cat', 'ons')]
  await having([...people('Ann', 'Bea', 'Cat'), ...flirts])
  expect([await deck({ vibe: 'flirty' }), await deck({ vibe: 'ons' })]).toEqual([[], []])
  expect(await deck({ vibe: 'ons', eligible: true })).toEqual(['Cat'])
  await having([...people('Ann', 'Bea', 'Cat'), ...flirts, vibe('Ann', 'flirty')])
  expect(await deck({ vibe: 'flirty' })).toEqual(['Bea'])
  const cards = await listCandidates(read.db, await seeker(ann), {}, T0)
  expect(cards.some((card) => 'vibe' in card)).toBe(false)
})

test('moving inside a cell changes no byte of any answer', async () => {
  const names = Array.from({ length: 30 }, (_, n) => `P${n}`)
  const home = (n: number): Spot => north(n % 5)
  const jitter = (spot: Spot, round: number, n: number): Spot => {
    const { lat, lng } = cellAt({ lat: spot[0], lng: spot[1] }, DISCOVER_CELL_M)
    const by = (k: number) => (((round * 31 + n * 17 + k) % 19) / 19 - 0.5) * 0.008
    return [lat + by(3), lng + by(7)]
  }
  const bodies = new Set<string>()
  const folded = project(allProjections, recorded(...people('Ann', ...names)))
  for (let round = 0; round < 25; round++) {
    const member_cell = names.map((name, n) => placeOf(name, jitter(home(n), round, n)))
    await read.fill(folded, { member_cell: [...member_cell, placeOf('Ann', jitter(HERE, round, 99))] })
    bodies.add(JSON.stringify(await getDeck(read.db, await seeker(ann), {}, T0)))
  }
  expect(bodies.size).toBe(1)
})

test('equals stand in an order of the viewer and the day', async () => {
  const names = Array.from({ length: 12 }, (_, n) => `P${n}`)
  await having(people('Ann', 'Bea', ...names), Object.fromEntries(['Ann', 'Bea', ...names].map((name) => [name, HERE])))
  const today = (await deck()).filter((name) => name !== 'Bea')
  expect(await deck()).toEqual(await deck({}, minute(60)))
  expect((await deck({}, minute(24 * 60))).filter((name) => name !== 'Bea')).not.toEqual(today)
  const others = (await listCandidates(read.db, await seeker(bea), {}, T0)).map(({ firstName }) => firstName)
  expect(others.filter((name) => name !== 'Ann')).not.toEqual(today)
})

test('a full deck holds the twenty nearest of many', async () => {
  const names = Array.from({ length: 60 }, (_, n) => `P${n}`)
  const spots = Object.fromEntries(names.map((name, n) => [name, north((n * 37) % 60)]))
  await having(people('Ann', ...names), { ...spots, Ann: HERE })
  const near = names.map((name, n) => [name, (n * 37) % 60] as const).sort((a, b) => a[1] - b[1])
  expect(await deck()).toEqual(near.slice(0, 20).map(([name]) => name))
  expect(await deck({ size: 6 })).toEqual(near.slice(0, 6).map(([name]) => name))
})

test('an empty deck names the filter that costs most', async () => {
  await having(people('Ann', 'Bea', 'Cat'), { Ann: HERE, Bea: HERE, Cat: north(50) })
  expect(await getDeck(read.db, await seeker(ann), { distanceMiles: 1, ageMin: 60 }, T0)).toEqual({
    users: [],
    costliest: { filter: 'age', wouldShow: 1 },
  })
  expect(await findCostliestFilter(read.db, await seeker(ann), { interests: ['Yoga'] }, T0)).toEqual({
    filter: 'interests',
    wouldShow: 2,
  })
  expect(await findCostliestFilter(read.db, await seeker(ann), { interests: ['Yoga'], ageMin: 60 }, T0)).toBeNull()
})

test('an unfinished, hidden-away or unknown viewer gets an empty deck and no hint', async () => {
  await having([...people('Ann', 'Bea'), { type: 'AccountDeactivated', member: ann, at: T0 }])
  expect(await getDeck(read.db, await seeker(ann), {}, T0)).toEqual({ users: [] })
  expect(await getDeck(read.db, await seeker('nobody00000000000000000x' as MemberId), {}, T0)).toEqual({ users: [] })
})

test('an event seen twice counts a picture once', () => {
  const events = recorded(...people('Ann'))
  const rows = project(discover, [...events, ...events]).rows(candidate)
  expect(rows.map(({ media_count, discoverable }) => [media_count, discoverable])).toEqual([[2, true]])
})
