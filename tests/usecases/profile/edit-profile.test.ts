import { afterAll, beforeAll, expect, test } from 'vitest'
import { NAME_COOLDOWN_MS } from '../../../domain/profile/limits.ts'
import { addMs } from '../../../domain/shared/dates.ts'
import { getSelf } from '../../../projections/profiles/queries.ts'
import { editOwn, type OwnEdit } from '../../../usecases/profile/edit-own.ts'
import { editProfile } from '../../../usecases/profile/edit-profile.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { as, newCommand, SLOW_DOWN, tooFast } from '../acting.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(() => world.stop())

const edit = (who: Person, changes: unknown, commandId = newCommand()) =>
  editProfile(as(world, who), { changes, commandId })
const own = (who: Person, change: OwnEdit) => editOwn(as(world, who), { edit: change, commandId: newCommand() })
const self = async (who: Person) => {
  await world.settled()
  return getSelf(world.read, who.id, new Date())
}
const typesOf = async (who: Person) => (await world.core.log.read(`profile-${who.id}`)).map(({ type }) => type)

test('each changed field is a fact of its own, and an edit that is repeated or changes nothing is none', async () => {
  const ann = await world.member('Ann')
  const commandId = newCommand()
  const changes = { bio: 'Reads on trains', city: 'Porto', fieldVisibility: { age: 'hidden' } }
  for (const _ of [1, 2]) expect(await edit(ann, changes, commandId)).toMatchObject({ ok: true })
  expect(await edit(ann, { bio: ' Reads on trains ' })).toMatchObject({ ok: true })
  expect(await typesOf(ann)).toEqual(['ProfileStarted', 'PlaceChanged', 'BioChanged', 'FieldVisibilitySet'])
  const { fieldVisibility } = await self(ann)
  expect([fieldVisibility.age, fieldVisibility.photos]).toEqual(['hidden', 'matches'])
})

test('an edit sent again after it was changed back is made again, by the rules of that time, and else is one', async () => {
  const fay = await world.member('Fay')
  const old = newCommand()
  const hides = () => edit(fay, { visibilityMode: 'hidden' }, old)
  expect([await hides(), await hides()]).toMatchObject([{ ok: true }, { ok: true }])
  const hidden = ['VisibilityModeChanged', 'VisibilityChanged']
  expect(await typesOf(fay)).toEqual(['ProfileStarted', ...hidden])
  await edit(fay, { visibilityMode: 'auto' })
  expect([await hides(), await hides()]).toMatchObject([{ ok: true }, { ok: true }])
  expect((await self(fay)).visibilityMode).toBe('hidden')
  expect(await typesOf(fay)).toEqual(['ProfileStarted', ...hidden, ...hidden, ...hidden])
  const naming = newCommand()
  const names = () => edit(fay, { firstName: 'Fae' }, naming)
  expect([await names(), await names()]).toMatchObject([{ ok: true }, { ok: true }])
  const acting = as(world, fay)
  const later = { ...acting, now: () => addMs(new Date(), NAME_COOLDOWN_MS) }
  await editProfile(later, { changes: { firstName: 'Faith' }, commandId: newCommand() })
  expect(await names()).toMatchObject({ reason: 'name-too-soon' })
})

test('an edit is refused with its reason', async () => {
  const bea = await world.member('Bea')
  expect(await edit(bea, { bio: 1, height: 20 })).toEqual({ ok: false, reason: 'invalid', fields: ['bio', 'height'] })
  expect(await edit(bea, { vibe: 'threesome' })).toEqual({ ok: false, reason: 'restricted' })
  expect(await editProfile(tooFast(world, bea), { changes: { bio: 'x' }, commandId: newCommand() })).toEqual(SLOW_DOWN)
  expect(await edit(bea, { firstName: 'Beata' })).toMatchObject({ ok: true })
  const again = await edit(bea, { firstName: 'Beatrix' })
  expect(again).toMatchObject({ ok: false, reason: 'name-too-soon' })
  expect('retryInMs' in again && again.retryInMs).toBeGreaterThan(0)
  const nobody = { ...bea, id: '0'.repeat(24) as Person['id'] }
  expect(await edit(nobody, { bio: 'x' })).toMatchObject({ reason: 'not-started' })
})

test('an edit with media of someone else changes nothing at all', async () => {
  const [cat, dan] = [await world.member('Cat'), await world.member('Dan')]
  const theirs = (await self(dan)).avatar ?? ''
  for (const media of [{ avatar: theirs }, { avatar: '' }, { voice: theirs }, { voice: 'https://evil.example/a.ogg' }])
    expect(await own(cat, { changes: { bio: 'Changed' }, ...media })).toEqual({ ok: false, reason: 'invalid-media' })
  expect((await self(cat)).bio).toBe('')
})

test('an edit names the avatar by its address', async () => {
  const eve = await world.member('Eve')
  const second = (await self(eve)).media[1]?.url ?? ''
  for (const _ of [1, 2])
    expect(await own(eve, { changes: { bio: 'Hello' }, avatar: second })).toMatchObject({ ok: true })
  const { bio, avatar, media } = await self(eve)
  expect([bio, avatar, media.length]).toEqual(['Hello', second, 2])
  expect(await own(eve, { changes: { vibe: 'ons' }, avatar: media[1]?.url })).toMatchObject({ reason: 'restricted' })
  expect((await self(eve)).avatar).toBe(second)
})
