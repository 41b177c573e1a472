import { EventStoreDBClient } from '@eventstore/db-client'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { scavenge } from '../../eventstore/embedded/storage/scavenge.ts'
import { listBehind } from '../../projections/engine/care/behind.ts'
import { createCaughtUp } from '../../projections/engine/caught-up.ts'
import { lines, tallies } from '../support/toy-projections.ts'
import { wrong } from '../support/wrong.ts'
import { AT, appendLoad, buzzed, type EngineRig, member, pairStream, sent, startEngineRig } from './engine-rig.ts'

const [ann, bea, cleo] = ['Ann', 'Bea', 'Cleo'].map(member) as [never, never, never]
const toys = [tallies, lines]
let rig: EngineRig
beforeAll(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stopProjectors())
afterAll(() => rig.stop())

test('an empty log gives empty views at once, and what happens then stands in them', async () => {
  const projector = rig.project(toys)
  await projector.start()
  expect((await rig.pool.query('select * from read.tally')).rows).toEqual([])
  const position = await rig.append(pairStream(ann, bea), buzzed(ann, bea), sent(ann, bea, 1))
  expect(await projector.waitFor(position)).toBe(true)
  const { rows } = await rig.pool.query('select * from read.tally where member = $1', [ann])
  expect(rows).toMatchObject([{ buzzed: 1, messages: '1', last_at: AT, tags: [] }])
  expect(await rig.wrongRows(toys)).toEqual([])
})

test('rows equal a fold of the log after many batches', async () => {
  await appendLoad(rig, 60)
  const projector = rig.project(toys)
  await projector.start()
  expect(await projector.waitFor(await rig.log.head(), undefined, 10_000)).toBe(true)
  expect(await rig.wrongRows(toys)).toEqual([])
  expect(projector.status().map(({ lag }) => lag)).toEqual([
    { events: 0, seconds: 0 },
    { events: 0, seconds: 0 },
  ])
})

test('a change of all rows that match meets what the same batch wrote before it and not what comes after', async () => {
  const stream = pairStream(bea, cleo)
  await rig.append(stream, sent(bea, cleo, 1), sent(cleo, bea, 2))
  const unmatched = { type: 'Unmatched', by: bea, target: cleo, at: AT } as const
  const position = await rig.append(stream, sent(bea, cleo, 3), unmatched, sent(bea, cleo, 4))
  const projector = rig.project(toys)
  await projector.start()
  await projector.waitFor(position, ['lines'], 10_000)
  const { rows } = await rig.pool.query('select number, text from read.line where room = $1 order by 1', [stream])
  expect(rows.map(({ text }) => text)).toEqual([null, 'word 2', null, 'word 4'])
  expect(await rig.wrongRows(toys)).toEqual([])
})

test('an erased member’s key is forgotten and their rows go', async () => {
  const forgotten: string[] = []
  const keys = { forget: (subject: string) => void forgotten.push(subject) }
  const projector = rig.project(toys, { keys })
  await projector.start()
  const position = await rig.append(`member-${cleo}`, { type: 'AccountErased', member: cleo, at: AT })
  expect(await projector.waitFor(position, undefined, 10_000)).toBe(true)
  expect(new Set(forgotten)).toEqual(new Set([cleo]))
  expect(await rig.wrongRows(toys)).toEqual([])
})

test('a process without a projector knows when a position can be read', async () => {
  const caughtUp = createCaughtUp(rig.pool, rig.log)
  const projector = rig.project(toys)
  await projector.start()
  const position = await rig.append(pairStream(ann, cleo), buzzed(ann, cleo))
  expect(await caughtUp(position, ['tallies', 'lines'], 10_000)).toBe(true)
  expect(await caughtUp(wrong(`${position}zz`), ['tallies'], 30)).toBe(false)
  expect(await projector.waitFor(wrong(`${position}zz`), ['tallies'], 30)).toBe(false)
})

test('once the first events of the log are scavenged, no read model is filled anew', async () => {
  const own = await startEngineRig()
  onTestFinished(() => own.stop())
  const gone = pairStream(bea, cleo)
  await own.append(gone, sent(bea, cleo, 1), sent(cleo, bea, 2))
  const first = own.project(toys)
  await first.start()
  await first.waitFor(await own.append(pairStream(ann, bea), sent(ann, bea, 1)), undefined, 10_000)
  await first.stop()
  const client = EventStoreDBClient.connectionString(own.connectionString)
  await client.deleteStream(gone)
  await scavenge({ database: own.logDatabase })
  await client.dispose()
  const next = own.project(toys)
  await next.start()
  const { rows } = await own.pool.query('select name, generation, state from app.projection order by 1')
  expect(rows).toMatchObject([
    { name: 'lines', generation: 1, state: 'live' },
    { name: 'tallies', generation: 1, state: 'live' },
  ])
})

test('whoever asks which read models are behind gives them a moment', async () => {
  const first = rig.project(toys)
  await first.start()
  await first.stop()
  await appendLoad(rig, 1, 'meanwhile')
  expect(await listBehind(rig.pool, rig.log, 50)).toEqual(['lines', 'tallies'])
  const behind = listBehind(rig.pool, rig.log, 20_000)
  await rig.project(toys).start()
  expect(await behind).toEqual([])
})
