import { afterEach, beforeEach, expect, test } from 'vitest'
import { pauseProjection } from '../../../projections/engine/care/pause.ts'
import { projectionStatus } from '../../../projections/engine/care/status.ts'
import { dropUnknown } from '../../../projections/engine/care/unknown-tables.ts'
import { listFollowed } from '../../../projections/engine/leases.ts'
import { type Projection, put, type Table } from '../../../projections/projection.ts'
import { lines } from '../../support/toy-projections.ts'
import { until } from '../../support/until.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [never, never]
const word: Table<{ room: string; number: number }> = {
  name: 'word',
  columns: { room: 'text not null', number: 'integer not null' },
  key: ['room', 'number'],
}
let isBroken = false
/** A read model that the release which drops does not have. */
const words: Projection = {
  name: 'words',
  version: 1,
  tables: [word],
  when: {
    MessageSent: ({ number, stream }) => {
      if (isBroken) throw new Error('a fault of the other release')
      return [put(word, { room: stream, number })]
    },
  },
}

let rig: EngineRig
beforeEach(async () => {
  isBroken = false
  rig = await startEngineRig()
  await rig.append(pairStream(ann, bea), sent(ann, bea, 1))
})
afterEach(() => rig.stop())

const query = async (text: string) => (await rig.pool.query(text)).rows
/** No event has moved it for more than an hour. */
const quietHour = () => query(`update app.projection_checkpoint set updated_at = now() - interval '61 minutes'`)
const drop = () => dropUnknown(rig.pool, [lines], 'all')
/** Another round of a process: what it wrote before is from an earlier one. */
async function round(): Promise<void> {
  const seen = async () => +((await query('select min(seen_at) as at from app.projector'))[0].at ?? 0)
  const before = await seen()
  await until('a round has passed', async () => (await seen()) > before)
}

test('the tables of a process that found its read model paused at its start stay', async () => {
  await rig.project([words]).start()
  await rig.stopProjectors()
  await pauseProjection(rig.pool, 'words')
  const projector = rig.project([words])
  await projector.start()
  await until('it waits', () => projector.status()[0]!.state === 'paused')
  await round()
  await quietHour()
  await query(`delete from app.projection_seen`)
  expect(await drop()).toEqual([])
})

test('the tables of a process that its log does not answer stay', async () => {
  let isAway = false
  const head = () => (isAway ? Promise.reject(new Error('away')) : rig.log.head())
  await rig.project([lines]).start()
  const projector = rig.project([words], { log: { ...rig.log, head } })
  await projector.start()
  await until('it feeds', () => projector.status()[0]!.state === 'live')
  isAway = true
  await until('it leaves all to others', () => projector.status()[0]!.state === 'following')
  await quietHour()
  await query(`delete from app.projection_seen`)
  expect(await drop()).toEqual([])
})

test('the tables of a process that is stuck stay', async () => {
  const projector = rig.project([words], { keysMost: 0 })
  await projector.start()
  isBroken = true
  await rig.append(pairStream(ann, bea), sent(ann, bea, 2))
  await until('it is stuck', () => projector.status()[0]!.error !== null)
  const wanted = async () => (await query('select wants from app.projector'))[0].wants
  await until('it has given them back', async () => (await wanted()).length === 0)
  expect(await listFollowed(rig.pool)).toContain('words')
})

test('a process of the release before has what it wants and what it fills', async () => {
  await query(`insert into app.projector (process, pid, started, wants, fills, behind, seen_at)
    values (gen_random_uuid(), 1, now(), '{a}', '{b}', false, now())`)
  expect(await listFollowed(rig.pool)).toEqual(new Set(['a', 'b']))
})

test('tables stay for an hour from when a process was there that has them, however long no event has moved them', async () => {
  await rig.project([words]).start()
  await until('it is noted', async () => (await query('select from app.projection_seen')).length === 1)
  await rig.stopProjectors()
  await quietHour()
  expect(await drop()).toEqual([])
  await query(`update app.projection_checkpoint set updated_at = now() - interval '8 days'`)
  const status = () => projectionStatus({ ...rig, projections: [lines], names: ['words'], now: () => new Date() })
  expect(+(await status())[0]!.targets[0]!.keptUntil! > Date.now()).toBe(true)
  expect(await dropUnknown(rig.pool, [lines], 'old')).toEqual([])
  await query(`update app.projection_seen set seen_at = now() - interval '61 minutes'`)
  expect(await drop()).toEqual(['p_words_v1'])
  expect(await query('select from app.projection_seen')).toEqual([])
})

test('when it was seen is written once a minute, by whoever is there', async () => {
  await rig.project([lines]).start()
  await query(`insert into app.projector (process, pid, started, wants, behind, seen_at)
    select gen_random_uuid(), pid, backend_start, '{words}', false, now() + interval '1 hour' from pg_stat_activity
    where pid = (select pid from app.projector)`)
  const seen = () => query('select name, seen_at from app.projection_seen order by name')
  await until('both are noted', async () => (await seen()).length === 2)
  const before = await seen()
  await round()
  expect(await seen()).toEqual(before)
  await query(`update app.projection_seen set seen_at = now() - interval '61 seconds'`)
  await until('it is written again', async () => (await seen()).every(({ seen_at }) => +seen_at > Date.now() - 30_000))
})
