import type pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Codec, createCodec } from '../../eventstore/codec.ts'
import { createFeed, type Feed } from '../../eventstore/feed.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import type { Log } from '../../eventstore/log.ts'
import { sweepEffects } from '../../reactors/effects.ts'
import type { AnyReactor, Reactor } from '../../reactors/reactor.ts'
import { createReactors } from '../../reactors/run.ts'
import { createJobWorker } from '../../reactors/work-jobs.ts'
import { JOBS } from '../../services/jobs/kinds.ts'
import { createLogger } from '../../services/log.ts'
import { fromLater, LATER, WITH_ANOTHER_TYPE } from '../eventstore/later-release.ts'
import { countedPool } from '../projections/counted-pool.ts'
import {
  AT,
  buzzed,
  type EngineRig,
  member,
  pairStream,
  quiet,
  sent,
  startEngineRig,
} from '../projections/engine-rig.ts'
import { until } from '../support/until.ts'

type Act = { forward(line: string): Promise<void> }
const [ann, bea] = ['Ann', 'Bea'].map(member) as [never, never]
const stream = pairStream(ann, bea)
const counting: Reactor<Act, 'MessageSent'> = {
  name: 'forward-messages',
  on: ['MessageSent'],
  react: ({ number }, act, { commandId }) => act.forward(`${number} ${commandId}`),
}

let rig: EngineRig
let forwarded: string[]
let warnings: { text: string; fields: object }[]
let running: { stop(): Promise<void> }[]
beforeEach(async () => {
  rig = await startEngineRig()
  forwarded = []
  warnings = []
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()))
  await rig.stop()
})

async function start(
  reactor: AnyReactor<Act> = counting,
  forward = async (line: string) => void forwarded.push(line),
  codec: Codec = rig.codec,
  { pool, feed, log = rig.log }: { pool?: pg.Pool; feed?: Feed; log?: Log } = {},
) {
  const report = (_level: string, text: string, fields: object) => void warnings.push({ text, fields })
  const reactors = createReactors({
    log,
    codec,
    pool: pool ?? rig.pool,
    ...(feed && { feed }),
    reactors: [reactor],
    act: { forward },
    report,
  })
  const worker = createJobWorker({
    database: rig.config,
    kinds: { react: JOBS.react },
    handlers: { react: ({ reactor: name }, signal) => reactors.perform(name, signal) },
    recurring: {},
    logger: createLogger({ level: 'silent' }),
    pollMs: 50,
  })
  const both = {
    async stop() {
      await worker.stop()
      await reactors.stop()
    },
  }
  running.push(both)
  await reactors.start()
  worker.start()
  return both
}
const owed = async () => {
  const { rows } = await rig.pool.query('select state, tries, reason from app.reactor_effect order by position')
  return rows
}
/** As a process of the later release appends it. */
async function appendLater() {
  const ids = [uuidFrom('later')]
  const meta = { commandId: ids[0]!, correlationId: ids[0]!, causationId: ids[0]!, actor: 'system' }
  const event = { ...sent(ann, bea, 9), mood: 'merry' } as ReturnType<typeof sent>
  const [stored] = await createCodec(rig.keys, LATER).encode('pair-later', [event], ids, meta)
  await rig.log.append('pair-later', 'no_stream', [stored!])
  return stored!
}
const settled = () => until('nothing is owed', async () => (await owed()).every(({ state }) => state !== 'owed'))

test('a reactor starts from the end of the log and meets each later event of its types once', async () => {
  await rig.append(stream, sent(ann, bea, 1))
  const first = await start()
  await rig.append(stream, buzzed(ann, bea), sent(ann, bea, 2), sent(bea, ann, 3))
  await until('two were forwarded', () => forwarded.length === 2)
  await first.stop()
  await rig.append(stream, sent(ann, bea, 4))
  await start()
  await until('the one from between was forwarded', () => forwarded.length === 3)
  await settled()
  const id = (revision: number) => uuidFrom('forward-messages', uuidFrom(stream, revision))
  expect(forwarded).toEqual([`2 ${id(2)}`, `3 ${id(3)}`, `4 ${id(4)}`])
})

test('a reactor reads the one event that it is owed, and nothing behind it', async () => {
  const asked: unknown[] = []
  const read: Log['read'] = (of, from, until, limit) => {
    asked.push([of, from, limit])
    return rig.log.read(of, from, until, limit)
  }
  await start(counting, undefined, undefined, { log: { ...rig.log, read } })
  await rig.append(stream, sent(ann, bea, 1), buzzed(ann, bea), sent(ann, bea, 2), buzzed(bea, ann))
  await until('two were forwarded', () => forwarded.length === 2)
  await settled()
  expect(asked).toEqual([0, 2].map((revision) => [stream, revision, 1]))
})

test('two processes with the same reactor share its events', async () => {
  await Promise.all([start(), start()])
  for (let number = 1; number <= 20; number++) await rig.append(stream, sent(ann, bea, number))
  await until('all were noted', async () => (await owed()).length === 20)
  await settled()
  expect(forwarded.length).toBe(20)
  expect(new Set(forwarded).size).toBe(20)
})

test('an effect that fails is tried again with the same command id, and no word of the event is reported', async () => {
  let failures = 2
  await start(counting, async (line) => {
    forwarded.push(line)
    if (failures-- > 0) throw new Error(`could not send ${line}`)
  })
  await rig.append(stream, sent(ann, bea, 7))
  await until('it was forwarded three times', () => forwarded.length === 3)
  await settled()
  expect(new Set(forwarded).size).toBe(1)
  expect(await owed()).toEqual([{ state: 'done', tries: 3, reason: null }])
  expect(warnings).toHaveLength(2)
  expect(JSON.stringify(warnings)).not.toMatch(/could not send|word 7/)
})

test('an event that cannot be read is given up and reported, and the next one is handled', async () => {
  await start()
  const broken = { id: uuidFrom('broken'), type: 'MessageSent', data: {}, metadata: { schema: 1 } }
  await rig.log.append('pair-odd', 'no_stream', [broken])
  await rig.append(stream, sent(ann, bea, 1))
  await until('the healthy one was forwarded', () => forwarded.length === 1)
  await settled()
  expect((await owed()).map(({ state, reason }) => [state, reason])).toEqual([
    ['given-up', 'UndecodableEvent'],
    ['done', null],
  ])
})

test('an event of a later release waits for a process that reads it', async () => {
  const old = await start()
  const { id } = await appendLater()
  await rig.append(stream, sent(ann, bea, 1))
  await until('the one of this release was forwarded', () => forwarded.length === 1)
  await until('the other was tried', async () => (await owed()).some(({ reason }) => reason === 'TooNewEvent'))
  expect((await owed()).find(({ reason }) => reason === 'TooNewEvent')).toMatchObject({ state: 'owed' })
  await old.stop()
  await start(counting, undefined, createCodec(rig.keys, LATER))
  await settled()
  expect(forwarded.filter((line) => line.endsWith(uuidFrom('forward-messages', id)))).toHaveLength(1)
})

test('a type of a later release stops a reactor of this one, and is news to that release', async () => {
  const old = await start()
  const position = await rig.append(stream, sent(ann, bea, 1))
  await until('the first was forwarded', () => forwarded.length === 1)
  const { id } = fromLater()
  await rig.log.append('pair-later', 'no_stream', [
    { id, type: 'Waved', data: { by: ann, target: bea, at: AT }, metadata: { schema: 1 } },
  ])
  await rig.append(stream, sent(ann, bea, 2))
  await until('it has stopped', () => JSON.stringify(warnings).includes('TooNewEvent'))
  const at = async () => (await rig.pool.query('select position from app.reactor')).rows
  expect(await at()).toEqual([{ position }])
  await old.stop()
  expect(await at()).toEqual([{ position }])
  const next = {
    name: counting.name,
    on: ['MessageSent', 'Waved'] as AnyReactor<Act>['on'],
    react: ({ type }: never, act: Act) => act.forward(type),
  }
  await start(next, undefined, createCodec(rig.keys, WITH_ANOTHER_TYPE))
  await until('what came since was forwarded', () => forwarded.includes('MessageSent'))
  await settled()
  expect(forwarded.map((line) => line.split(' ')[0])).toEqual(['1', 'Waved', 'MessageSent'])
})

test('a reactor that was at another log starts from the end of this one, and one that was ahead goes back to it', async () => {
  await rig.append(stream, sent(ann, bea, 1))
  const at = async () => (await rig.pool.query('select position, log_id from app.reactor')).rows[0]
  await rig.log.id()
  const end = await rig.log.end()
  for (const [position, logId] of [
    ['0000000000000', 'another log'],
    ['zzzzzzzzzzzzz', await rig.log.id()],
  ]) {
    await rig.pool.query('delete from app.reactor')
    await rig.pool.query(`insert into app.reactor (name, position, log_id) values ('forward-messages', $1, $2)`, [
      position,
      logId,
    ])
    const reactors = await start()
    expect(await at()).toEqual({ position: end, log_id: await rig.log.id() })
    await reactors.stop()
  }
  await start()
  await rig.append(stream, sent(ann, bea, 2))
  await until('the new one was forwarded', () => forwarded.length > 0)
  expect(forwarded.map((line) => line.slice(0, 1))).toEqual(['2'])
})

test('what was done is forgotten after a week, and what is owed or given up is not', async () => {
  const { pool } = rig
  const rows = [
    ['old', 'done', '8 days'],
    ['new', 'done', '6 days'],
    ['owed', 'owed', '8 days'],
    ['given-up', 'given-up', '8 days'],
  ]
  for (const [id, state, age] of rows)
    await pool.query(
      `insert into app.reactor_effect (reactor, event_id, position, stream, revision, state, due_at)
       values ('slow', $1, '1', 'pair-x', 0, $2, now() - $3::interval)`,
      [id, state, age],
    )
  expect(await sweepEffects(pool)).toBe(1)
  const left = await pool.query('select event_id from app.reactor_effect order by 1')
  expect(left.rows.map(({ event_id }) => event_id)).toEqual(['given-up', 'new', 'owed'])
})

test('events that concern no reactor write nothing', async () => {
  const { pool, since } = countedPool(rig.config)
  quiet(pool)
  const shared = createFeed(rig.log)
  const feed: Feed = {
    ...shared,
    async *follow(after, signal) {
      for await (const batch of shared.follow(after, signal)) for (const event of batch) yield [event]
    },
  }
  const reactors = await start(counting, undefined, rig.codec, { pool, feed })
  since()
  await rig.append(stream, buzzed(ann, bea))
  await rig.append(stream, sent(ann, bea, 1))
  await until('the message was forwarded', () => forwarded.length === 1)
  expect(since().filter((text) => text.includes('update app.reactor set'))).toHaveLength(1)
  await reactors.stop()
  await shared.close()
  await pool.end()
})

test('a type that a reactor gets with a release is no news where it happened before', async () => {
  const types = (on: AnyReactor<Act>['on']): AnyReactor<Act> => ({
    name: 'forward-types',
    on,
    react: (event: never, act) => act.forward((event as { type: string }).type),
  })
  const shared = createFeed(rig.log)
  let passed = ''
  const feed: Feed = {
    ...shared,
    async *follow(after, signal) {
      for await (const batch of shared.follow(after, signal)) {
        yield batch
        passed = batch[batch.length - 1]!.position
      }
    },
  }
  const before = await start(types(['MessageSent']), undefined, rig.codec, { feed })
  const position = await rig.append(stream, buzzed(ann, bea))
  await until('the buzz has passed', () => passed >= position)
  await before.stop()
  await shared.close()
  await start(types(['MessageSent', 'Buzzed']))
  await rig.append(stream, sent(ann, bea, 1))
  await until('the message was forwarded', () => forwarded.length > 0)
  expect(forwarded).toEqual(['MessageSent'])
})
