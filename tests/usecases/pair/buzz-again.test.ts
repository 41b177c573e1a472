import { afterAll, beforeAll, expect, test } from 'vitest'
import { RATES } from '../../../services/limits/rates.ts'
import { actingAs } from '../../../usecases/acting.ts'
import { block } from '../../../usecases/pair/block.ts'
import { buzz } from '../../../usecases/pair/buzz.ts'
import { unblock } from '../../../usecases/pair/unblock.ts'
import { withdrawBuzz } from '../../../usecases/pair/withdraw-buzz.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { startStrictWorld } from '../../support/strict-world.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { newCommand } from '../acting.ts'

let world: World
let context: Ports
beforeAll(async () => {
  ;({ world, context } = await startStrictWorld())
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
async function wait(from: Person, to: Person): Promise<void> {
  const key = `BUZZ_PAIR/${RATES.BUZZ_PAIR.windows[0].seconds}:${from.id}:${to.id}`
  const { rowCount } = await world.core.storage.pool.query('delete from app.rate where key = $1', [key])
  expect(rowCount).toBe(1)
}

test('whoever takes a buzz back buzzes the same one again after ten seconds, and three times a day in all', async () => {
  const [ann, bea] = await two()
  expect(await buzzes(ann, bea)).toEqual(DONE)
  for (let again = 0; again < 2; again++) {
    expect(await takesBack(ann, bea)).toMatchObject({ ok: true })
    expect(await buzzes(ann, bea)).toEqual(REFUSED)
    await wait(ann, bea)
    expect(await buzzes(ann, bea)).toEqual(DONE)
  }
  expect(await takesBack(ann, bea)).toMatchObject({ ok: true })
  await wait(ann, bea)
  expect(await buzzes(ann, bea)).toEqual(REFUSED)
  expect(await buzzedIn(ann, bea)).toBe(3)
})

test('a block that is lifted again is no way around it', async () => {
  const [ann, bea] = await two()
  const by = actingAs(context, ann.id)
  expect(await buzzes(ann, bea)).toEqual(DONE)
  expect(await block(by, { target: bea.id, commandId: newCommand() })).toMatchObject({ ok: true })
  expect(await unblock(by, { target: bea.id, commandId: newCommand() })).toMatchObject({ ok: true })
  await world.settled()
  expect(await buzzes(ann, bea)).toEqual(REFUSED)
  await wait(ann, bea)
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
  await wait(ann, bea)
  expect(await buzzes(ann, bea)).toEqual(DONE)
})
