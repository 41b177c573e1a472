import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { memberDecider } from '../../../domain/identity/member.ts'
import type { MediaId, MessageId } from '../../../domain/shared/ids.ts'
import { report } from '../../../usecases/safety/report.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { as, newCommand } from '../acting.ts'

let world: World
let behind: pg.PoolClient
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(() => world.stop())
beforeEach(async () => {
  behind = await world.core.storage.pool.connect()
})
afterEach(async () => {
  await behind.query('rollback')
  behind.release()
  await world.settled()
})

/** Two who have written to one another. */
async function pairOf(names: readonly [string, string]) {
  const [one, two] = [await world.member(names[0]), await world.member(names[1])]
  await world.match(one, two)
  await world.sendMessage(one, two, `Words of ${names[0]}`, `id-${names[0]}`)
  await world.sendMessage(two, one, `Words of ${names[1]}`, `id-${names[1]}`)
  await world.settled()
  return [one, two] as const
}

/** The account ends in the log, while rows stay as they are until the test is over. */
async function endsBehind({ id }: Person) {
  await behind.query('begin')
  await behind.query('lock table read.profile, read.message in share mode')
  const command = { type: 'EraseAccount' as const, member: id, at: new Date() }
  const source = { commandId: newCommand(), actor: id }
  expect(await world.context.note(memberDecider, command, source)).toMatchObject({ ok: true })
}

const keptOf = async (by: Person, target: Person) =>
  world.core.codec.decode(await world.core.log.read(`report-${by.id}_${target.id}`))

test('a report of somebody erased keeps none of their words, although rows still have them', async () => {
  const [ann, bea] = await pairOf(['Ann', 'Bea'])
  const media = (await world.services.media.list({ member: bea.id }))[0]!.id as MediaId
  await endsBehind(bea)
  const about = { target: bea.id, reason: 'Rude', message: 'id-Bea' as MessageId, media, commandId: newCommand() }
  expect(await report({ ...as(world, ann), dispatch: world.context.note }, about)).toMatchObject({ ok: true })
  const [kept] = await keptOf(ann, bea)
  expect(kept).toMatchObject({
    type: 'MemberReported',
    message: null,
    media: null,
    evidence: {
      profile: null,
      messages: [
        { id: 'id-Ann', from: ann.id, text: 'Words of Ann' },
        { id: 'erased-2', from: bea.id, text: '' },
      ],
    },
  })
})

test('nobody reports after their erasure, although rows still have their words', async () => {
  const [cat, dan] = await pairOf(['Cat', 'Dan'])
  await endsBehind(cat)
  const about = { target: dan.id, reason: 'Rude', message: 'id-Dan' as MessageId, commandId: newCommand() }
  expect(await report(as(world, cat), about)).toEqual({ ok: false, reason: 'conflict' })
  expect(await keptOf(cat, dan)).toEqual([])
})
