import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPositions } from '../../../services/nearby/positions.ts'
import { gridKeyOf } from '../../../services/nearby/publication.ts'
import { dealDeck } from '../../../usecases/discover/deal-deck.ts'
import { type Location, setLocation } from '../../../usecases/discover/set-location.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { as, SLOW_DOWN, tooFast } from '../acting.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(() => world.stop())

const OSLO = { lat: 59.91, lng: 10.75 }
const SYDNEY = { lat: -33.87, lng: 151.21 }
/** Positions under the rules of how often and how fast, which the world lifts. */
function setsUnderRules(who: Person, location: Location) {
  const { masterKey } = world.secrets
  const positions = createPositions({
    db: world.core.storage.app,
    now: () => new Date(),
    masterKey,
    gridKey: gridKeyOf(masterKey),
    limits: world.services.limits,
  })
  return setLocation({ ...as(world, who), positions }, location)
}

test('a position and a town move the member into a cell, once', async () => {
  const ann = await world.member('Ann')
  expect(await setLocation(as(world, ann), { town: 'Oslo, NO' })).toEqual({ ok: true, value: { moved: true } })
  expect(await setLocation(as(world, ann), { town: 'Oslo, NO' })).toEqual({ ok: true, value: { moved: false } })
  expect(await setLocation(as(world, ann), SYDNEY)).toEqual({ ok: true, value: { moved: true } })
})

test('a location is refused with its reason', async () => {
  const bea = await world.member('Bea')
  const sets = (location: Location) => setLocation(as(world, bea), location)
  expect(await sets({ lat: 91, lng: 0 })).toMatchObject({ reason: 'nowhere' })
  expect(await sets({ town: 'Nowhereville' })).toEqual({ ok: false, reason: 'unknown-town' })
  expect(await setLocation(tooFast(world, bea), OSLO)).toEqual(SLOW_DOWN)
  const several = await sets({ town: 'San' })
  expect(several).toMatchObject({ ok: false, reason: 'several-towns' })
  expect('towns' in several && several.towns.length).toBeGreaterThan(1)
})

test('nobody travels faster than a plane, or moves for the third time within a minute', async () => {
  const cat = await world.member('Cat')
  expect(await setsUnderRules(cat, OSLO)).toMatchObject({ ok: true })
  expect(await setsUnderRules(cat, { town: 'Sydney, AU' })).toMatchObject({ reason: 'too-fast' })
  expect(await setsUnderRules(cat, OSLO)).toMatchObject({ ok: true })
  expect(await setsUnderRules(cat, OSLO)).toMatchObject({ reason: 'too-often' })
})

test('the deck shows who fits, and nobody once an hour’s people were seen', async () => {
  const dan = await world.member('Dan', { location: SYDNEY })
  const eve = await world.member('Eve', { location: SYDNEY })
  await world.settled()
  const dealt = await dealDeck(as(world, dan), {})
  expect(dealt.ok && dealt.value.users.map(({ id }) => id)).toContain(eve.id)
  const acting = as(world, dan)
  const takeEach = async () => ({ allowed: new Set<string>(), retryInMs: 1_000 })
  expect(await dealDeck({ ...acting, limits: { ...acting.limits, takeEach } }, {})).toEqual(SLOW_DOWN)
})
