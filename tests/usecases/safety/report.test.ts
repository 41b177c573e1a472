import { afterAll, beforeAll, expect, test } from 'vitest'
import { days, minutes } from '../../../domain/shared/dates.ts'
import type { MessageId } from '../../../domain/shared/ids.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { report } from '../../../usecases/safety/report.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { as, newCommand, SLOW_DOWN, tooFast } from '../acting.ts'

let world: World
let ann: Person
let bea: Person
beforeAll(async () => {
  world = await startWorld({ web: false })
  ann = await world.member('Ann')
  bea = await world.member('Bea')
})
afterAll(() => world.stop())

const reports = (reason: string, target = bea.id, commandId = newCommand()) =>
  report(as(world, ann), { target, reason, commandId })

test('a report keeps what it is about, and the same one sent twice is one', async () => {
  const commandId = newCommand()
  const first = await reports('Asks for money', bea.id, commandId)
  expect(first.ok && first.value.report).toMatch(/^[0-9a-z]{20,32}$/)
  expect(await reports('Asks for money', bea.id, commandId)).toEqual(first)
  expect(await world.core.log.read(`report-${ann.id}_${bea.id}`)).toHaveLength(1)
})

test('a report is refused with its reason', async () => {
  expect(await reports('  ')).toEqual({ ok: false, reason: 'reason-required' })
  expect(await reports('y'.repeat(1_001))).toEqual({ ok: false, reason: 'reason-required' })
  expect(await reports('Me', ann.id)).toEqual({ ok: false, reason: 'self' })
  expect(await reports('Who?', '0'.repeat(24) as Person['id'])).toEqual({ ok: false, reason: 'unknown' })
  const fast = { target: bea.id, reason: 'Again', commandId: newCommand() }
  expect(await report(tooFast(world, ann), fast)).toEqual(SLOW_DOWN)
})

test('somebody erased can be reported for ninety days, and no longer', async () => {
  const cora = await world.member('Cora')
  const erased = await eraseAccount({ ...world.context, actor: cora.id }, cora.id)
  expect(erased.ok).toBe(true)
  await world.settled()
  expect(await reports('Threatened me', cora.id)).toMatchObject({ ok: true })
  const reportAfter = (passed: number) => {
    const now = () => new Date(Date.now() + passed)
    return report({ ...as(world, ann), now }, { target: cora.id, reason: 'Late', commandId: newCommand() })
  }
  expect(await reportAfter(days(90) - minutes(5))).toMatchObject({ ok: true })
  expect(await reportAfter(days(90) + minutes(5))).toEqual({ ok: false, reason: 'unknown' })
})

test('what a page shows of somebody who is erased meanwhile is reported without it, and of others never', async () => {
  const [dora, eve] = [await world.member('Dora'), await world.member('Eve')]
  await world.match(ann, dora)
  await world.match(ann, eve)
  const seen = 'words-of-dora' as MessageId
  await world.sendMessage(dora, ann, 'Send me money', seen)
  expect((await eraseAccount({ ...world.context, actor: dora.id }, dora.id)).ok).toBe(true)
  await world.settled()
  const about = (target: Person, pointed: object) =>
    report(as(world, ann), { target: target.id, reason: 'Asks for money', commandId: newCommand(), ...pointed })
  expect(await about(dora, { message: seen })).toMatchObject({ ok: true })
  expect(await about(dora, { message: seen, media: world.services.newId() })).toMatchObject({ ok: true })
  const stored = await world.core.codec.decode(await world.core.log.read(`report-${ann.id}_${dora.id}`))
  expect(stored).toMatchObject([
    { message: null, media: null },
    { message: null, media: null },
  ])
  expect(await about(eve, { message: seen })).toEqual({ ok: false, reason: 'unknown' })
})

test('reports of two people under one id of a command are two', async () => {
  const commandId = newCommand()
  const [first, second] = [await reports('Asks for money', bea.id, commandId), await world.member('Fay')]
  const other = await reports('Threatens me', second.id, commandId)
  await world.settled()
  const ids = [first, other].map((outcome) => outcome.ok && outcome.value.report)
  const kept = await world.read
    .selectFrom('report')
    .select(['id', 'target'])
    .where('id', 'in', ids as string[])
    .execute()
  expect(new Set(kept.map(({ target }) => target))).toEqual(new Set([bea.id, second.id]))
})
