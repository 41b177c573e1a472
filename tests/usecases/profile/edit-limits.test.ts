import { afterAll, beforeAll, expect, test } from 'vitest'
import { getSelf } from '../../../projections/profiles/queries.ts'
import type { Limits } from '../../../services/limits/limits.ts'
import { RATES, type RateClass } from '../../../services/limits/rates.ts'
import type { Acting, Ports } from '../../../usecases/ports.ts'
import { editOwn, type OwnEdit } from '../../../usecases/profile/edit-own.ts'
import { startStrictWorld } from '../../support/strict-world.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { as, newCommand } from '../acting.ts'

let world: World
let context: Ports
let limits: Limits
beforeAll(async () => {
  ;({ world, context } = await startStrictWorld())
  limits = context.limits
})
afterAll(() => world.stop())

const SLOW_DOWN = { ok: false, reason: 'slow-down', retryInMs: expect.any(Number) }
const most = (rate: RateClass) => RATES[rate].windows[0].points
const acting = (who: Person): Acting => ({ ...as(world, who), limits })
const edit = (who: Person, change: OwnEdit) => editOwn(acting(who), { edit: change, commandId: newCommand() })
const self = async (who: Person) => {
  await world.settled()
  return getSelf(world.read, who.id, new Date())
}
/** Leaves so many of the class. */
const leave = async (who: Person, rate: RateClass, points: number) => {
  await limits.reset(rate, who.id)
  await limits.take(rate, who.id, most(rate) - points)
}
/** How many are left of the class; takes them. */
async function left(who: Person, rate: RateClass): Promise<number> {
  let points = 0
  while ((await limits.take(rate, who.id)).ok) points += 1
  return points
}

/** The avatar's picture is put into the gallery and chosen: with the fields, three of WRITE and two of EDIT. */
const withAvatar = async (who: Person) => {
  const { media } = await self(who)
  return { changes: { firstName: 'Partial', bio: 'half done' }, avatar: media[1]?.url ?? '' }
}

test.each([
  ['WRITE', 1],
  ['WRITE', 2],
  ['EDIT', 1],
] as const)('an edit for whose parts too little is left changes nothing: %s, %i left', async (rate, points) => {
  const ann = await world.member('Ann')
  const before = await self(ann)
  await leave(ann, rate, points)
  expect(await edit(ann, await withAvatar(ann))).toEqual(SLOW_DOWN)
  expect(await self(ann)).toEqual(before)
  const types = (await world.core.log.read(`profile-${ann.id}`)).map(({ type }) => type)
  expect(types).toEqual(['ProfileStarted'])
})

test('an edit that is refused for a part leaves the day what a smaller one needs', async () => {
  const bea = await world.member('Bea')
  await leave(bea, 'EDIT', 1)
  expect(await edit(bea, await withAvatar(bea))).toEqual(SLOW_DOWN)
  expect(await edit(bea, { changes: { bio: 'Hello' } })).toMatchObject({ ok: true })
  expect(await edit(bea, { changes: { bio: 'Again' } })).toEqual(SLOW_DOWN)
})

test('an edit takes what its parts take: exactly so much is enough, and one that fails keeps what it had', async () => {
  const cat = await world.member('Cat')
  await leave(cat, 'WRITE', 3)
  await leave(cat, 'EDIT', 2)
  expect(await edit(cat, await withAvatar(cat))).toMatchObject({ ok: true })
  expect((await self(cat)).bio).toBe('half done')
  expect([await left(cat, 'WRITE'), await left(cat, 'EDIT')]).toEqual([0, 0])

  const avatar = (await self(cat)).media[0]?.url ?? ''
  const cases: [OwnEdit, string, number, number][] = [
    [{ changes: { bio: 1 }, avatar }, 'invalid', 0, 0],
    [{ changes: { vibe: 'ons' }, avatar }, 'restricted', 0, 0],
    [{ changes: { bio: 'x' }, avatar: 'https://evil.example/a.png' }, 'invalid-media', 0, 0],
    // The name was changed just now: its part is refused, and those after it are not begun.
    [{ changes: { firstName: 'Sooner' }, avatar }, 'name-too-soon', 1, 1],
    [{ changes: {}, avatar }, 'done', 3, 1],
    [{ changes: {}, voice: null }, 'done', 2, 0],
    [{ changes: { visibility: 'invisible' } }, 'done', 1, 0],
  ]
  for (const [change, came, writes, edits] of cases) {
    for (const rate of ['WRITE', 'EDIT'] as const) await leave(cat, rate, 5)
    const outcome = await edit(cat, change)
    expect([came, outcome.ok ? 'done' : outcome.reason]).toEqual([came, came])
    expect([came, await left(cat, 'WRITE'), await left(cat, 'EDIT')]).toEqual([came, 5 - writes, 5 - edits])
  }
})

test('who may write no more hears first what is wrong with an edit, and each try that is refused counts', async () => {
  const dan = await world.member('Dan')
  await leave(dan, 'WRITE', 0)
  const { avatar } = await withAvatar(dan)
  expect(await edit(dan, { changes: { bio: 1 }, avatar })).toMatchObject({ reason: 'invalid' })
  expect(await edit(dan, { changes: { bio: 'x' }, avatar })).toEqual(SLOW_DOWN)
  await limits.giveBack('WRITE', dan.id)
  expect(await left(dan, 'WRITE')).toBe(0)
})
