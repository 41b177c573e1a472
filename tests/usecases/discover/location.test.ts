import { afterAll, beforeAll, expect, test } from 'vitest'
import { findLocation } from '../../../usecases/discover/find-location.ts'
import { forgetLocation } from '../../../usecases/discover/forget-location.ts'
import { setLocation } from '../../../usecases/discover/set-location.ts'
import { startStrictWorld } from '../../support/strict-world.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { as, SLOW_DOWN, tooFast } from '../acting.ts'

let world: World
beforeAll(async () => {
  world = (await startStrictWorld()).world
})
/** Under the limits, which the world lifts for its own people. */
const limited = (who: Person) => ({ ...as(world, who), limits: world.services.limits })
afterAll(() => world.stop())

test('a member learns which town they named, or which a measured position is near, and no coordinates', async () => {
  const ann = limited(await world.member('Ann'))
  expect(await findLocation(ann)).toBeNull()
  await setLocation(ann, { town: 'Springfield, Illinois, US' })
  expect(await findLocation(ann)).toMatchObject({ isTown: true, named: [{ region: 'Illinois' }], near: null })
  await setLocation(ann, { lat: 39.8, lng: -89.64 })
  const found = await findLocation(ann)
  expect(found).toMatchObject({
    isTown: false,
    named: [],
    near: { region: 'Illinois' },
    positionUntil: expect.any(Date),
  })
  expect(Object.keys(found ?? {}).sort()).toEqual(['cellUntil', 'isMoving', 'isTown', 'named', 'near', 'positionUntil'])
})

test('a location may always be forgotten, and is set three times a day where none is kept', async () => {
  const bea = limited(await world.member('Bea', { location: { lat: 59.91, lng: 10.75 } }))
  expect(await forgetLocation(tooFast(world, await world.member('Cid')))).toEqual(SLOW_DOWN)
  for (const town of ['Sydney, AU', 'Lisbon, PT']) {
    expect(await forgetLocation(bea)).toEqual({ ok: true, value: null })
    expect(await findLocation(bea)).toBeNull()
    expect(await setLocation(bea, { town })).toMatchObject({ ok: true })
  }
  for (let n = 0; n < 5; n++) expect(await forgetLocation(bea)).toEqual({ ok: true, value: null })
  const refused = { reason: 'forgot-lately', retryInMs: expect.any(Number) }
  expect(await setLocation(bea, { town: 'Oslo, NO' })).toMatchObject(refused)
  expect(await setLocation(bea, { lat: 59.91, lng: 10.75 })).toMatchObject(refused)
  expect(await findLocation(bea)).toBeNull()
})
