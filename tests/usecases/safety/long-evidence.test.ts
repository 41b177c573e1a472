import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MESSAGE_MAX } from '../../../domain/pair/limits.ts'
import { type MediaId, type MessageId, pairIdOf } from '../../../domain/shared/ids.ts'
import { collectReported, evidenceFrom } from '../../../projections/view/evidence.ts'
import { report } from '../../../usecases/safety/report.ts'
import { startWorld, type World } from '../../support/world.ts'
import { as, newCommand } from '../acting.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(() => world.stop())

/** As many messages as a report keeps, and the longest there are: four bytes a letter. */
const MESSAGES = 50
const LONGEST = '🐝'.repeat(MESSAGE_MAX)

test('whoever is sent the longest messages can report them, each with what it points at', async () => {
  const [ann, rude] = [await world.member('Ann'), await world.member('Rude')]
  await world.match(ann, rude)
  const ids = Array.from({ length: MESSAGES }, () => randomUUID() as MessageId)
  for (const id of ids) await world.sendMessage(rude, ann, LONGEST, id)
  await world.settled()
  const about = { target: rude.id, reason: 'Threatens me', message: ids[0]!, commandId: newCommand() }
  const reported = await report(as(world, ann), about)
  expect(reported).toMatchObject({ ok: true })
  const [stored] = await world.core.codec.decode(await world.core.log.read(`report-${ann.id}_${rude.id}`))
  expect(stored).toMatchObject({ message: ids[0], evidence: { messages: expect.arrayContaining([]) } })
})

test('a picture can be reported whatever was written after it, also what grows when it is written as JSON', async () => {
  const [bea, rude] = [await world.member('Bea'), await world.member('Ruder')]
  await world.match(bea, rude)
  const media = world.services.newId() as MediaId
  const growing = '"'.repeat(3_290) + '🐝'.repeat(MESSAGE_MAX - 3_290)
  for (let n = 0; n < MESSAGES; n++) await world.sendMessage(rude, bea, growing, randomUUID() as MessageId)
  await world.settled()
  const rows = world.read.selectFrom('message').select('number').where('room', '=', pairIdOf(bea.id, rude.id))
  expect(await rows.execute()).toHaveLength(MESSAGES)
  const kept = evidenceFrom(await collectReported(world.read, bea.id, rude.id, { message: null, media }), null)
  expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThan(700 * 1024)
  const about = { target: rude.id, reason: 'Threatens me', commandId: newCommand() }
  expect(await report(as(world, bea), about)).toMatchObject({ ok: true })
})
