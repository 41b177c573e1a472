import { afterAll, beforeAll, expect, test } from 'vitest'
import { pairDecider } from '../../../domain/pair/decider.ts'
import { days } from '../../../domain/shared/dates.ts'
import { actingAs } from '../../../usecases/acting.ts'
import { block } from '../../../usecases/pair/block.ts'
import { buzz } from '../../../usecases/pair/buzz.ts'
import { unblock } from '../../../usecases/pair/unblock.ts'
import { withdrawBuzz } from '../../../usecases/pair/withdraw-buzz.ts'
import type { Acting, Ports } from '../../../usecases/ports.ts'
import { startStrictWorld } from '../../support/strict-world.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { newCommand } from '../acting.ts'

let world: World
let context: Ports
/** Stands still between two waits, however long a test takes. */
let clock = Date.now()
beforeAll(async () => {
  ;({ world, context } = await startStrictWorld({ now: () => new Date(clock) }))
})
afterAll(() => world.stop())

const two = async () => [await world.member('Ann'), await world.member('Bea')] as const
const buzzes = (from: Person, to: Person, commandId = newCommand()) =>
  buzz(actingAs(context, from.id), { to: to.id, via: 'profile', commandId })
const takesBack = (from: Person, to: Person) =>
  withdrawBuzz(actingAs(context, from.id), { to: to.id, commandId: newCommand() })
const buzzedIn = async (a: Person, b: Person) =>
  (await world.core.log.read(`pair-${[a.id, b.id].sort().join('_')}`)).filter(({ type }) => type === 'Buzzed').length
const DONE = { ok: true, value: { matched: false } }
const REFUSED = { ok: false, reason: 'slow-down', retryInMs: expect.any(Number) }

/** The ten seconds are over, the day is not. */
const wait = () => {
  clock += 10_000
}

test('whoever takes a buzz back buzzes the same one again after ten seconds, and three times a day in all', async () => {
  const [ann, bea] = await two()
  expect(await buzzes(ann, bea)).toEqual(DONE)
  for (let again = 0; again < 2; again++) {
    expect(await takesBack(ann, bea)).toMatchObject({ ok: true })
    expect(await buzzes(ann, bea)).toEqual(REFUSED)
    wait()
    expect(await buzzes(ann, bea)).toEqual(DONE)
  }
  expect(await takesBack(ann, bea)).toMatchObject({ ok: true })
  wait()
  expect(await buzzes(ann, bea)).toEqual(REFUSED)
  expect(await buzzedIn(ann, bea)).toBe(3)
})

test.each([1, 2, 3])('of %i that take the same buzz back at once one is counted, for the day too', async (together) => {
  const [ann, bea] = await two()
  for (let sent = 0; sent < 3; sent++) {
    expect(await buzzes(ann, bea), `buzz ${sent + 1}`).toEqual(DONE)
    const ends = await Promise.all(Array.from({ length: together }, () => takesBack(ann, bea)))
    expect(ends.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await buzzes(ann, bea)).toEqual(REFUSED)
    wait()
  }
  expect(await buzzes(ann, bea)).toEqual(REFUSED)
  expect(await buzzedIn(ann, bea)).toBe(3)
})

/** Whoever acts so waits until as many commands as these are to be decided; then they are, a buzz and a take-back in turn. */
function together(acting: Acting, count: number): Acting {
  const buzzing: (() => void)[] = []
  const taking: (() => void)[] = []
  const dispatch: Acting['dispatch'] = (decider, command, source) =>
    new Promise((resolve) => {
      const waiting = 'via' in command ? buzzing : taking
      waiting.push(() => resolve(acting.dispatch(decider, command, source)))
      if (buzzing.length + taking.length < count) return
      for (const [n, goOn] of buzzing.entries()) for (const next of [goOn, taking[n]!]) next()
    })
  return { ...acting, dispatch, limits: { ...acting.limits, take: async () => ({ ok: true }) } }
}

test('of twenty that buzz and take back at once, three that are taken back get through a day', async () => {
  const [ann, bea] = await two()
  for (let round = 1; round <= 5; round++) {
    const by = together(actingAs(context, ann.id), 40)
    const asked = () => ({ to: bea.id, via: 'profile' as const, commandId: newCommand() })
    await Promise.all(Array.from({ length: 20 }, () => [buzz(by, asked()), withdrawBuzz(by, asked())]).flat())
    expect(await buzzedIn(ann, bea), `round ${round}`).toBe(Math.min(round, 3))
    wait()
  }
  clock += days(1)
  expect(await buzzes(ann, bea)).toEqual(DONE)
})

test('a take-back that nobody was told of counts', async () => {
  const [ann, bea] = await two()
  expect(await buzzes(ann, bea)).toEqual(DONE)
  const takeBack = { type: 'WithdrawBuzz', from: ann.id, to: bea.id, at: context.now() } as const
  const written = await context.dispatch(pairDecider, takeBack, { commandId: newCommand(), actor: ann.id })
  expect(written).toMatchObject({ ok: true })
  expect(await buzzes(ann, bea)).toEqual(REFUSED)
})

test('a program that sends a buzz again is answered as before, also when it was taken back', async () => {
  const [ann, bea] = await two()
  const asked = { to: bea.id, via: 'profile', commandId: newCommand() } as const
  const sends = () => buzz({ ...actingAs(context, ann.id), retries: true }, asked)
  expect(await sends()).toEqual(DONE)
  expect(await takesBack(ann, bea)).toMatchObject({ ok: true })
  expect(await sends()).toEqual(DONE)
  expect(await buzzedIn(ann, bea)).toBe(1)
})

test('blocks that several lift at once are counted as well', async () => {
  const [ann, bea] = await two()
  const by = actingAs(context, ann.id)
  const lifts = () => unblock(by, { target: bea.id, commandId: newCommand() })
  for (let sent = 0; sent < 3; sent++) {
    expect(await buzzes(ann, bea), `buzz ${sent + 1}`).toEqual(DONE)
    expect(await block(by, { target: bea.id, commandId: newCommand() })).toMatchObject({ ok: true })
    expect((await Promise.all([lifts(), lifts()])).filter(({ ok }) => ok)).toHaveLength(1)
    await world.settled()
    wait()
  }
  expect(await buzzes(ann, bea)).toEqual(REFUSED)
})

test('a block that is lifted again is no way around it', async () => {
  const [ann, bea] = await two()
  const by = actingAs(context, ann.id)
  expect(await buzzes(ann, bea)).toEqual(DONE)
  expect(await block(by, { target: bea.id, commandId: newCommand() })).toMatchObject({ ok: true })
  expect(await unblock(by, { target: bea.id, commandId: newCommand() })).toMatchObject({ ok: true })
  await world.settled()
  expect(await buzzes(ann, bea)).toEqual(REFUSED)
  wait()
  expect(await buzzes(ann, bea)).toEqual(DONE)
})

test('it counts for the one who took it back alone, and a buzz sent twice is answered as before', async () => {
  const [ann, bea] = await two()
  const cat = await world.member('Cat')
  const commandId = newCommand()
  expect(await Promise.all([buzzes(ann, bea, commandId), buzzes(ann, bea, commandId)])).toEqual([DONE, DONE])
  expect(await buzzes(ann, bea)).toMatchObject({ reason: 'already-buzzed' })
  expect(await takesBack(ann, bea)).toMatchObject({ ok: true })
  expect(await buzzes(ann, cat)).toEqual(DONE)
  expect(await buzzes(bea, ann)).toEqual(DONE)
})

test('what took nothing back is not counted', async () => {
  const [ann, bea] = await two()
  const by = actingAs(context, ann.id)
  expect(await takesBack(ann, bea)).toMatchObject({ ok: false })
  expect(await buzzes(ann, bea)).toEqual(DONE)
  const commandId = newCommand()
  const again = () => withdrawBuzz(by, { to: bea.id, commandId })
  for (let n = 0; n < 4; n++) expect(await again()).toMatchObject({ ok: true })
  wait()
  expect(await buzzes(ann, bea)).toEqual(DONE)
})
