import { afterEach, beforeEach, expect, test } from 'vitest'
import { fromPosition } from '../../../eventstore/position.ts'
import { BatchProcessor, PoisonEvent } from '../../../projections/engine/batch-processor.ts'
import { createDecode } from '../../../projections/engine/decoding.ts'
import { findOrMakeTarget } from '../../../projections/engine/targets.ts'
import { runIn } from '../../support/fresh-database.ts'
import { linesWithout } from '../../support/toy-projections.ts'
import { buzzed, type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea, cleo] = ['Ann', 'Bea', 'Cleo'].map(member) as [never, never, never]
const strict = linesWithout(13)
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** Of the newest checkpoint. */
const checkpoint = async () =>
  (
    await rig.pool.query(`select position, anchor->>'position' as anchor from app.projection_checkpoint
    order by step desc limit 1`)
  ).rows[0]

/** What tables that take it in one batch make of it. */
async function taken(poison: 'quarantined' | 'stops') {
  const { target } = (await findOrMakeTarget(rig.pool, rig.log, strict)) as unknown as { target: never }
  const deps = { pool: rig.pool, decode: createDecode(rig.codec, rig.keys), projection: strict }
  const processor = await BatchProcessor.of(deps, target, { poison })
  const events = await rig.log.read(pairStream(ann, cleo))
  const error = await processor.take(events, await rig.log.id()).catch((error: unknown) => error)
  return { events, error }
}

test.each([
  ['first', [13, 30, 31]],
  ['in the middle', [30, 13, 31]],
  ['last', [30, 31, 13]],
  ['alone', [13]],
])('tables know the last event of a batch in which poison is %s', async (_, numbers) => {
  await rig.append(pairStream(ann, cleo), ...numbers.map((number) => sent(ann, cleo, number)))
  const { events } = await taken('quarantined')
  const { position } = events.at(-1)!
  expect(await checkpoint()).toEqual({ position, anchor: position })
})

test('tables know the last event of a batch in which poison is followed by what they do not handle', async () => {
  await rig.append(pairStream(ann, cleo), sent(ann, cleo, 13), buzzed(ann, cleo))
  const { events } = await taken('quarantined')
  const { position } = events.at(-1)!
  expect(await checkpoint()).toEqual({ position, anchor: position })
})

test('tables that stop at poison know the event before it', async () => {
  await rig.append(
    pairStream(ann, cleo),
    sent(ann, cleo, 30),
    sent(ann, cleo, 31),
    sent(ann, cleo, 13),
    sent(ann, cleo, 32),
  )
  const { events, error } = await taken('stops')
  expect(error).toBeInstanceOf(PoisonEvent)
  const { position } = events[1]!
  expect(await checkpoint()).toEqual({ position, anchor: position })
})

test('tables with poison as the last event know that the log was set back behind them and has grown', async () => {
  const projector = rig.project([strict])
  await projector.start()
  const first = await rig.append(pairStream(ann, bea), sent(ann, bea, 1))
  expect(await projector.waitFor(first, undefined, 10_000)).toBe(true)
  const gone = [30, 31, 13].map((number) => sent(ann, cleo, number))
  expect(await projector.waitFor(await rig.append(pairStream(ann, cleo), ...gone), undefined, 10_000)).toBe(true)
  await rig.stopProjectors()
  const behind = Number(fromPosition(first).commit) + 1
  await runIn(
    rig.logDatabase,
    `update log.event set id = gen_random_uuid() where position > ${behind} and type = 'MessageSent'`,
  )
  await rig.append(pairStream(bea, cleo), sent(bea, cleo, 40), sent(bea, cleo, 41))
  expect(await findOrMakeTarget(rig.pool, rig.log, strict)).toMatchObject({ do: 'fill', target: { generation: 2 } })
})
