import { afterAll, beforeAll, expect, test } from 'vitest'
import { cellAt, DISCOVER_CELL_M, distanceBetween, type LatLng, toMiles } from '../../domain/shared/grid.ts'
import { CELL_DELAY_MS } from '../../domain/shared/published-cell.ts'
import { CELL_MS } from '../../services/nearby/forget.ts'
import { metresFrom, whereSeenAt } from '../support/locations/own-grid.ts'
import { until } from '../support/until.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
let clock = Date.parse('2026-03-01T12:00:00Z')
let world: World
beforeAll(async () => {
  world = await startWorld({ now: () => new Date(clock) })
})
afterAll(() => world.stop())

const LISBON = cellAt({ lat: 38.7223, lng: -9.1393 }, DISCOVER_CELL_M)
const OSLO = cellAt({ lat: 59.91, lng: 10.75 }, DISCOVER_CELL_M)
const EAST = cellAt(metresFrom(LISBON, 1_000), DISCOVER_CELL_M)

const pass = async (ms: number) => {
  clock += ms
  await world.services.positions.publishDue()
}
/** Goes where their own grid shows them so far east and north of the middle of a cell. */
async function goTo(who: Person, cell: LatLng, east = 0, north = 0): Promise<void> {
  const seen = metresFrom(cell, east, north)
  const body = JSON.stringify(whereSeenAt(seen, who.id, world.secrets.masterKey))
  const answer = await world.api('/location', { as: who, method: 'POST', body })
  expect(await answer.json()).toEqual({ accepted: true })
}
/** One whose profile names the distance as their card does. */
const member = (name: string, options: Parameters<World['member']>[1] = {}) =>
  world.member(name, { ...options, visibilityMode: 'limited' })
type Answered = { id: string; distanceMeters?: number }
const deckOf = async (who: Person, query = ''): Promise<Answered[]> =>
  (await (await world.api(`/discover${query}`, { as: who })).json()).users
/** How far away one member's deck and the other's profile have it, in metres, as each of the two sees it. */
async function seenBy(one: Person, other: Person) {
  const card = (await deckOf(one)).find(({ id }) => id === other.id)
  const profile = await (await world.api(`/users/${other.id}`, { as: one })).json()
  return [card?.distanceMeters, (profile.user ?? profile).distanceMeters]
}
const everywhere = async (one: Person, other: Person) => [
  ...new Set([...(await seenBy(one, other)), ...(await seenBy(other, one))]),
]
const metres = (from: LatLng, to: LatLng) => distanceBetween(from, to).metres

test('a walk over an edge shows after the margin and the delay, to both sides alike', async () => {
  const ann = await member('Ann')
  const far = cellAt(metresFrom(LISBON, -6_000), DISCOVER_CELL_M)
  const bea = await member('Bea', { location: far })
  await goTo(ann, LISBON)
  const before = metres(far, LISBON)
  expect(await everywhere(ann, bea)).toEqual([before])
  for (const east of [450, 520, 600, 645]) {
    await pass(MINUTE)
    await goTo(ann, LISBON, east)
    await pass(CELL_DELAY_MS.most)
    expect(await everywhere(ann, bea)).toEqual([before])
  }
  await goTo(ann, LISBON, 660)
  await pass(CELL_DELAY_MS.least - 1)
  expect(await everywhere(ann, bea)).toEqual([before])
  await pass(CELL_DELAY_MS.most)
  expect(await everywhere(ann, bea)).toEqual([metres(far, EAST)])
  expect(metres(far, EAST)).toBeGreaterThan(before)
})

test('standing still changes no answer in a week, even near a corner', async () => {
  const [cat, dan] = [await member('Cat'), await member('Dan', { location: LISBON })]
  await goTo(cat, LISBON, 480, 490)
  const answers = new Set<string>()
  for (let hour = 0; hour < 7 * 24; hour += 7) {
    await pass(7 * HOUR)
    await goTo(cat, LISBON, 480 + 50 * Math.sin(hour), 490 + 50 * Math.cos(hour))
    await pass(CELL_DELAY_MS.most)
    answers.add(JSON.stringify(await everywhere(cat, dan)))
  }
  expect([...answers]).toEqual([JSON.stringify([500])])
})

test('a journey is shown within twelve minutes, by the product itself', async () => {
  const [eve, fay] = [await member('Eve'), await member('Fay', { location: OSLO })]
  await goTo(eve, LISBON)
  clock += 3 * HOUR
  await goTo(eve, OSLO)
  const far = metres(LISBON, OSLO)
  expect(await seenBy(fay, eve)).toEqual([far, far])
  clock += CELL_DELAY_MS.most
  await until('the new town shows', async () => (await seenBy(fay, eve))[1] === 500, 20_000)
  expect(await everywhere(eve, fay)).toEqual([500])
})

test('while a change waits, a filter finds the one exactly when it finds the other, and as the card says', async () => {
  const [gus, hal] = [await member('Gus', { location: LISBON }), await member('Hal')]
  await goTo(hal, LISBON)
  for (const [east, ms] of [
    [0, 0],
    [9_000, MINUTE],
    [9_000, CELL_DELAY_MS.most],
    [30_000, MINUTE],
    [30_000, CELL_DELAY_MS.most],
  ] as const) {
    await goTo(hal, LISBON, east)
    await pass(ms)
    const [shown] = await everywhere(gus, hal)
    for (const limit of [1, 3, 5, 6, 10, 15, 19, 30]) {
      const finds = async (one: Person, other: Person) =>
        (await deckOf(one, `?distanceMiles=${limit}`)).some(({ id }) => id === other.id)
      const near = toMiles(shown!) <= limit + 0.05
      expect([limit, await finds(gus, hal), await finds(hal, gus)]).toEqual([limit, near, near])
    }
  }
})

test('a town that is named shows at once, and so does the first position after it', async () => {
  const [ida, joe] = [await member('Ida', { location: LISBON }), await member('Joe', { location: OSLO })]
  await goTo(ida, OSLO)
  expect(await everywhere(ida, joe)).toEqual([500])
  const body = new URLSearchParams({ intent: 'place', town: 'Lisbon, PT' })
  expect((await world.page('/discover', { as: ida, method: 'POST', body })).status).toBe(302)
  expect((await seenBy(joe, ida))[0]).toBeGreaterThan(2_000_000)
})

test('a month after the last place distances end, and Discover asks for the place again', async () => {
  const viewer = await member('Uma')
  const away = await member('Vic', { location: LISBON })
  await goTo(viewer, LISBON)
  expect(await everywhere(viewer, away)).toEqual([500])
  clock += CELL_MS
  const back = async (who: Person) => {
    const { token } = await world.services.sessions.create({ member: who.id, remember: true, label: 'Later' })
    return { ...who, token }
  }
  const [here, forgotten] = [await back(viewer), await back(away)]
  await goTo(here, LISBON)
  await world.services.positions.sweep()
  expect(await everywhere(here, forgotten)).toEqual([undefined])
  const pageOf = async (who: Person) => {
    const page = await world.page('/discover', { headers: { Cookie: `__Host-buzz=${who.token}` } })
    return page.text()
  }
  expect(await pageOf(forgotten)).toContain('Where are you, roughly?')
  expect(await pageOf(here)).not.toContain('Where are you, roughly?')
})
