import { afterAll, beforeAll, expect, test } from 'vitest'
import { REBUZZ_MS } from '../../../domain/pair/limits.ts'
import { addMs } from '../../../domain/shared/dates.ts'
import { block } from '../../../usecases/pair/block.ts'
import { buzz } from '../../../usecases/pair/buzz.ts'
import { skip } from '../../../usecases/pair/skip.ts'
import { unblock } from '../../../usecases/pair/unblock.ts'
import { undoSkip } from '../../../usecases/pair/undo-skip.ts'
import { unmatch } from '../../../usecases/pair/unmatch.ts'
import { withdrawBuzz } from '../../../usecases/pair/withdraw-buzz.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { as, newCommand, SLOW_DOWN, tooFast } from '../acting.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(() => world.stop())

const NOBODY = '0'.repeat(24) as Person['id']
const two = async () => [await world.member('Ann'), await world.member('Bea')] as const
const buzzes = (from: Person, to: Person['id'], commandId = newCommand()) =>
  buzz(as(world, from), { to, via: 'profile', commandId })
const typesOf = async (a: Person, b: Person) =>
  (await world.core.log.read(`pair-${[a.id, b.id].sort().join('_')}`)).map(({ type }) => type)

test('a buzz back makes the match, and the same buzz sent twice is one', async () => {
  const [ann, bea] = await two()
  const commandId = newCommand()
  for (const _ of [1, 2]) expect(await buzzes(ann, bea.id, commandId)).toEqual({ ok: true, value: { matched: false } })
  expect(await buzzes(bea, ann.id)).toEqual({ ok: true, value: { matched: true } })
  expect(await typesOf(ann, bea)).toEqual(['Buzzed', 'Buzzed', 'Matched'])
})

test('a buzz is refused with its reason, and a block, an unmatch and hiding read the same', async () => {
  const [ann, bea] = await two()
  expect(await buzzes(ann, ann.id)).toEqual({ ok: false, reason: 'self' })
  expect(await buzzes(ann, NOBODY)).toEqual({ ok: false, reason: 'unknown' })
  expect(await buzz(tooFast(world, ann), { to: bea.id, via: 'profile', commandId: newCommand() })).toEqual(SLOW_DOWN)
  await buzzes(ann, bea.id)
  expect(await buzzes(ann, bea.id)).toMatchObject({ reason: 'already-buzzed' })
  const [cat, dan, eve] = [await world.member('Cat'), await world.member('Dan'), await world.member('Eve')]
  await world.block(cat, ann)
  await world.match(dan, ann)
  await world.unmatch(dan, ann)
  await world.edit(eve, { visibilityMode: 'hidden' })
  await world.settled()
  for (const closed of [cat, dan, eve]) expect(await buzzes(ann, closed.id)).toEqual({ ok: false, reason: 'closed' })
})

test('an unanswered buzz is taken back once', async () => {
  const [ann, bea] = await two()
  await world.buzz(ann, bea)
  const withdrawn = () => withdrawBuzz(as(world, ann), { to: bea.id, commandId: newCommand() })
  expect(await withdrawn()).toMatchObject({ ok: true })
  expect(await withdrawn()).toMatchObject({ reason: 'not-buzzed' })
})

test('a block sent again after an unblock blocks again, and else is one', async () => {
  const [ann, bea] = await two()
  const old = newCommand()
  const blocks = () => block(as(world, ann), { target: bea.id, commandId: old })
  expect([await blocks(), await blocks()]).toMatchObject([{ ok: true }, { ok: true }])
  expect(await typesOf(ann, bea)).toEqual(['Blocked'])
  for (let round = 0; round < 2; round++) {
    expect(await unblock(as(world, ann), { target: bea.id, commandId: newCommand() })).toMatchObject({ ok: true })
    expect([await blocks(), await blocks()]).toMatchObject([{ ok: true }, { ok: true }])
  }
  expect(await typesOf(ann, bea)).toEqual(['Blocked', 'Unblocked', 'Blocked', 'Unblocked', 'Blocked'])
})

test('a buzz sent again after it was taken back is a new one, and too soon after an unmatch', async () => {
  const [ann, bea] = await two()
  const old = newCommand()
  await buzzes(ann, bea.id, old)
  await withdrawBuzz(as(world, ann), { to: bea.id, commandId: newCommand() })
  expect(await buzzes(ann, bea.id, old)).toEqual({ ok: true, value: { matched: false } })
  expect(await typesOf(ann, bea)).toEqual(['Buzzed', 'BuzzWithdrawn', 'Buzzed'])
  await buzzes(bea, ann.id)
  await world.settled()
  expect(await buzzes(ann, bea.id, old)).toEqual({ ok: true, value: { matched: false } })
  await world.unmatch(ann, bea)
  await world.settled()
  expect(await buzzes(ann, bea.id, old)).toEqual({ ok: false, reason: 'closed' })
})

test('an unmatch sent again after a new match ends that too, and else is one', async () => {
  const [ann, bea] = await two()
  const old = newCommand()
  const unmatches = () => unmatch(as(world, ann), { target: bea.id, commandId: old })
  await world.match(ann, bea)
  expect([await unmatches(), await unmatches()]).toMatchObject([{ ok: true }, { ok: true }])
  await world.settled()
  const months = () => addMs(new Date(), REBUZZ_MS)
  for (const [from, to] of [
    [ann, bea],
    [bea, ann],
  ] as const) {
    const later = { ...as(world, from), now: months }
    expect(await buzz(later, { to: to.id, via: 'profile', commandId: newCommand() })).toMatchObject({ ok: true })
  }
  expect([await unmatches(), await unmatches()]).toMatchObject([{ ok: true }, { ok: true }])
  const once = ['Buzzed', 'Buzzed', 'Matched', 'Unmatched']
  expect(await typesOf(ann, bea)).toEqual([...once, ...once])
})

test('an unblock, a skip, its undoing and a withdrawal sent again after their reverse happen again', async () => {
  const [ann, bea] = await two()
  const given = () => ({ target: bea.id, to: bea.id, via: 'profile' as const, commandId: newCommand() })
  for (const [first, reverse, types] of [
    [unblock, block, ['Blocked', 'Unblocked']],
    [undoSkip, skip, ['Skipped', 'SkipUndone']],
    [withdrawBuzz, buzz, ['Buzzed', 'BuzzWithdrawn']],
  ] as const) {
    const [old, before] = [given(), await typesOf(ann, bea)]
    for (let round = 0; round < 2; round++) {
      expect(await reverse(as(world, ann), given())).toMatchObject({ ok: true })
      await world.settled()
      for (const _ of [1, 2]) expect(await first(as(world, ann), old)).toMatchObject({ ok: true })
      await world.settled()
    }
    expect((await typesOf(ann, bea)).slice(before.length)).toEqual([...types, ...types])
  }
  const old = given()
  for (let round = 0; round < 2; round++) {
    for (const _ of [1, 2]) expect(await skip(as(world, ann), old)).toMatchObject({ ok: true })
    await undoSkip(as(world, ann), given())
  }
  expect((await typesOf(ann, bea)).slice(-4)).toEqual(['Skipped', 'SkipUndone', 'Skipped', 'SkipUndone'])
})

test('several late repeats at once get the same answer, and happen once', async () => {
  const [ann, bea] = await two()
  const old = { target: bea.id, commandId: newCommand() }
  await block(as(world, ann), { target: bea.id, commandId: newCommand() })
  await world.settled()
  await unblock(as(world, ann), old)
  await world.settled()
  await block(as(world, ann), { target: bea.id, commandId: newCommand() })
  await world.settled()
  const answers = await Promise.all([1, 2, 3].map(() => unblock(as(world, ann), old)))
  expect(answers.map(({ ok }) => ok)).toEqual([true, true, true])
  expect(await typesOf(ann, bea)).toEqual(['Blocked', 'Unblocked', 'Blocked', 'Unblocked'])
})

test('a skip is undone once, and nobody is skipped who is not there', async () => {
  const [ann, bea] = await two()
  const skips = (to: Person['id']) => skip(as(world, ann), { to, commandId: newCommand() })
  for (const _ of [1, 2]) expect(await skips(bea.id)).toMatchObject({ ok: true })
  expect(await typesOf(ann, bea)).toEqual(['Skipped'])
  expect(await skips(NOBODY)).toEqual({ ok: false, reason: 'unknown' })
  const undone = () => undoSkip(as(world, ann), { to: bea.id, commandId: newCommand() })
  expect(await undone()).toMatchObject({ ok: true })
  expect(await undone()).toMatchObject({ reason: 'not-skipped' })
})

test('a block ends the match, repeats quietly, and reaches one who blocked first', async () => {
  const [ann, bea] = await two()
  await world.match(ann, bea)
  const blocks = (by: Person, target: Person['id']) => block(as(world, by), { target, commandId: newCommand() })
  for (const _ of [1, 2]) expect(await blocks(ann, bea.id)).toMatchObject({ ok: true })
  await world.settled()
  expect(await blocks(bea, ann.id)).toMatchObject({ ok: true })
  expect(await typesOf(ann, bea)).toEqual(['Buzzed', 'Buzzed', 'Matched', 'Blocked', 'Blocked'])
  expect(await blocks(ann, ann.id)).toMatchObject({ reason: 'self' })
  expect(await blocks(ann, NOBODY)).toEqual({ ok: false, reason: 'unknown' })
})

test('only an own block is lifted, and only a match unmatched', async () => {
  const [ann, bea] = await two()
  await world.block(ann, bea)
  const unblocks = (by: Person, { id: target }: Person) => unblock(as(world, by), { target, commandId: newCommand() })
  expect(await unblocks(bea, ann)).toMatchObject({ reason: 'not-blocked' })
  expect(await unblocks(ann, bea)).toMatchObject({ ok: true })
  await world.settled()
  const unmatches = () => unmatch(as(world, ann), { target: bea.id, commandId: newCommand() })
  expect(await unmatches()).toMatchObject({ reason: 'not-matched' })
  await world.match(ann, bea)
  expect(await unmatches()).toMatchObject({ ok: true })
})
