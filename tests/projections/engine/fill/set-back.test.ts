import { EventStoreDBClient } from '@eventstore/db-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { scavenge } from '../../../../eventstore/embedded/storage/scavenge.ts'
import type { Log } from '../../../../eventstore/log.ts'
import { fromPosition, positionOf } from '../../../../eventstore/position.ts'
import { rollback, swapFilled } from '../../../../projections/engine/care/tables-by-hand.ts'
import { listTargets } from '../../../../projections/engine/checkpoints.ts'
import { rebuild } from '../../../../projections/engine/rebuild.ts'
import { findOrMakeTarget } from '../../../../projections/engine/targets.ts'
import type { Projection } from '../../../../projections/projection.ts'
import { runIn } from '../../../support/fresh-database.ts'
import { lines, linesWithout } from '../../../support/toy-projections.ts'
import { until } from '../../../support/until.ts'
import { type EngineRig, member, pairStream, rebuildDepsOf, sent, startEngineRig } from '../../engine-rig.ts'

const [ann, bea, cleo] = ['Ann', 'Bea', 'Cleo'].map(member) as [never, never, never]
const LOST = 3
let rig: EngineRig
let open = () => {}
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => {
  open()
  return rig.stop()
})

const deps = () => rebuildDepsOf(rig)
const states = async () =>
  (await listTargets(rig.pool, 'lines')).map(({ generation, state }) => `${generation} ${state}`)
const numbers = async () =>
  (await rig.pool.query('select number from read.line order by number')).rows.map(({ number }) => number)

/** Tables that were live until the product stopped, with number 1. */
async function stopped(projection: Projection): Promise<void> {
  const projector = rig.project([projection])
  await projector.start()
  const last = await rig.append(pairStream(ann, bea), sent(ann, bea, 1))
  expect(await projector.waitFor(last, undefined, 10_000)).toBe(true)
  await rig.stopProjectors()
}

/** The log is without the last events that all tables have seen. */
async function setBack(): Promise<void> {
  const { commit } = fromPosition(await rig.log.head())
  await rig.pool.query('update app.projection_checkpoint set position = $1', [positionOf(Number(commit) + LOST)])
}

/** Past where the tables were before it was set back. */
const grow = () =>
  rig.append(pairStream(ann, cleo), ...Array.from({ length: 2 * LOST }, (_, at) => sent(ann, cleo, 20 + at)))

/** A log of which pages come once it is opened. */
function gatedLog() {
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let asked = 0
  const readAll: Log['readAll'] = async (...page) => {
    asked++
    await opened
    return rig.log.readAll(...page)
  }
  return { log: { ...rig.log, readAll }, isAsked: () => asked > 0 }
}

test('live of what the log was before it was set back keeps no new tables from readers once the log has grown past it', async () => {
  await stopped(linesWithout(13))
  await rig.append(pairStream(ann, bea), sent(ann, bea, 13))
  await setBack()
  const { log, isAsked } = gatedLog()
  const next = rig.project([linesWithout(13)], { log })
  await next.start()
  await until('it fills', isAsked)
  await grow()
  open()
  await until('it is live', () => next.status()[0]!.state === 'live')
  expect(next.status()).toMatchObject([{ error: null, quarantined: 1 }])
  expect(await numbers()).toEqual([1, 20, 21, 22, 23, 24, 25])
})

test('tables ahead of a log that was set back are not followed once it has grown past them, nor compared or gone back to', async () => {
  await stopped(lines)
  await rebuild(deps(), lines)
  await setBack()
  expect(await findOrMakeTarget(rig.pool, rig.log, lines)).toMatchObject({ do: 'fill', target: { generation: 3 } })
  await grow()
  expect(await findOrMakeTarget(rig.pool, rig.log, lines)).toMatchObject({ do: 'fill', target: { generation: 3 } })
  await expect(rollback(deps(), lines)).rejects.toThrow('filled from another log')
  expect(await rebuild(deps(), lines)).toMatchObject({ generation: 3, swapped: true, verdict: null })
  expect(await numbers()).toEqual([1, 20, 21, 22, 23, 24, 25])
})

test('filled tables ahead of a log that was set back are not swapped in', async () => {
  await stopped(lines)
  await rebuild(deps(), lines, { swap: false })
  await setBack()
  await expect(swapFilled(deps(), lines)).rejects.toThrow('filled from another log')
  expect(await states()).toEqual(['2 filling', '1 live'])
})

test('a log that is set back while tables are filled ends that, and the next filling begins anew', async () => {
  await stopped(lines)
  const before = await rig.log.end()
  await rig.append(pairStream(ann, bea), sent(ann, bea, 2))
  let isBack = false
  const head = () => (isBack ? Promise.resolve(before) : rig.log.head())
  const log = { ...rig.log, head, end: head }
  const onProgress = ({ phase }: { phase: string }) => {
    isBack ||= phase === 'index'
  }
  await expect(rebuild({ ...deps(), log, onProgress }, lines)).rejects.toThrow('was set back')
  expect(await states()).toEqual(['2 filling', '1 live'])
  expect(await rebuild({ ...deps(), log }, lines)).toMatchObject({ generation: 3 })
})

const asked = () => findOrMakeTarget(rig.pool, rig.log, lines)

const replaceEvents = () =>
  runIn(rig.logDatabase, `update log.event set id = gen_random_uuid() where type = 'MessageSent'`)

test('tables that have followed a log know its last event for them', async () => {
  await stopped(lines)
  await replaceEvents()
  await grow()
  expect(await asked()).toMatchObject({ do: 'fill', target: { generation: 2 } })
})

test.each([
  ['has another event where they are', replaceEvents],
  [
    'has a shorter stream than they know',
    () => rig.pool.query(`update app.projection_checkpoint set anchor = anchor || '{"revision": 1}'`),
  ],
  [
    'lacks a stream that they know',
    () => rig.pool.query(`update app.projection_checkpoint set anchor = anchor || '{"stream": "pair-x_y"}'`),
  ],
])(
  'tables that were filled are not followed where the log %s, though it has grown past them while nobody looked',
  async (_, change) => {
    await stopped(lines)
    await rebuild(deps(), lines)
    await change()
    await grow()
    expect(await asked()).toMatchObject({ do: 'fill', target: { generation: 3 } })
    expect(await asked()).toMatchObject({ do: 'fill', live: { logId: `${await rig.log.id()} before it was set back` } })
  },
)

test.each<[string, (client: EventStoreDBClient, stream: string) => Promise<unknown>]>([
  ['deleted', (client, stream) => client.deleteStream(stream)],
  ['ended', (client, stream) => client.tombstoneStream(stream)],
  [
    'cut',
    async (client, stream) => {
      await rig.append(stream, sent(ann, bea, 2))
      await client.setStreamMetadata(stream, { truncateBefore: 1 })
    },
  ],
])('tables are followed though the stream of the last event that they know was %s', async (_, change) => {
  await stopped(lines)
  const client = EventStoreDBClient.connectionString(rig.connectionString)
  await change(client, pairStream(ann, bea))
  await client.dispose()
  await scavenge({ database: rig.logDatabase })
  await grow()
  expect(await asked()).toMatchObject({ do: 'follow' })
})

/** Nothing is left of the newest events but that their stream has ended. */
async function endNewest(stream: string): Promise<void> {
  const client = EventStoreDBClient.connectionString(rig.connectionString)
  await client.tombstoneStream(stream)
  await client.dispose()
  await scavenge({ database: rig.logDatabase })
}

test('a log without its newest events, of a stream that has ended, was not set back', async () => {
  await stopped(lines)
  const newest = await rig.append(pairStream(ann, cleo), sent(ann, cleo, 2))
  await rebuild(deps(), lines)
  await endNewest(pairStream(ann, cleo))
  expect((await rig.log.head()) < newest).toBe(true)
  expect(await findOrMakeTarget(rig.pool, rig.log, lines)).toMatchObject({ do: 'follow', target: { generation: 2 } })
  expect(await rollback(deps(), lines)).toMatchObject({ generation: 1, swapped: true })
})

test('a filling from which the newest events go with their stream ends as any other', async () => {
  await stopped(lines)
  await rig.append(pairStream(ann, cleo), sent(ann, cleo, 2))
  let isEnded = false
  const head = async () => {
    // The tables have the event by now.
    const { rows } = await rig.pool.query(`select from p_lines_v1_2.line where number = 2`).catch(() => ({ rows: [] }))
    if (rows.length > 0 && !isEnded) await endNewest(pairStream(ann, cleo))
    isEnded ||= rows.length > 0
    return rig.log.head()
  }
  expect(await rebuild({ ...deps(), log: { ...rig.log, head } }, lines, { whatever: true })).toMatchObject({
    generation: 2,
    swapped: true,
  })
  expect(isEnded).toBe(true)
})
