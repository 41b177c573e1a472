import { afterEach, beforeEach, expect, test } from 'vitest'
import { allProjections } from '../../projections/all-projections.ts'
import { pauseProjection, resumeProjection } from '../../projections/engine/care/pause.ts'
import type { Projector } from '../../projections/engine/engine.ts'
import type { Projection } from '../../projections/projection.ts'
import { lines, tallies } from '../support/toy-projections.ts'
import { until } from '../support/until.ts'
import { countedPool } from './counted-pool.ts'
import {
  AT,
  appendLoad,
  buzzed,
  type EngineRig,
  member,
  pairStream,
  quiet,
  sent,
  startEngineRig,
} from './engine-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [never, never]
const stream = pairStream(ann, bea)
const toys = [tallies, lines]
let rig: EngineRig
let counted: ReturnType<typeof countedPool>
beforeEach(async () => {
  rig = await startEngineRig()
  counted = countedPool({ ...rig.config, max: 6 })
  quiet(counted.pool)
})
afterEach(async () => {
  await rig.stop()
  await counted.pool.end()
})

const isCommit = (text: string) => text === 'commit'
const writes = /^(begin|commit|update app\.projection_checkpoint |select t\.|insert into|delete from)/
/** What the projector asks of Postgres for one more message; the look for paused models left out. */
async function askedFor(projector: Projector, number: number): Promise<string[]> {
  counted.since()
  await projector.waitFor(await rig.append(stream, sent(ann, bea, number)), undefined, 10_000)
  return counted.since().filter((text) => writes.test(text.trim()))
}

const start = async (projections: readonly Projection[]) => {
  const projector = rig.project(projections, { pool: counted.pool })
  await projector.start()
  return projector
}

test('a lone event is one transaction for all read models', async () => {
  const projector = await start(toys)
  await askedFor(projector, 1)
  const asked = await askedFor(projector, 2)
  expect(asked.filter(isCommit)).toHaveLength(1)
  expect(asked.filter((text) => text.startsWith('update app.projection_checkpoint'))).toHaveLength(1)
})

test('a message to all read models of the product is one commit and at most eight statements', async () => {
  const projector = await start(allProjections)
  await rig.append(stream, { type: 'Matched', members: [ann, bea], at: AT }, sent(ann, bea, 1))
  await askedFor(projector, 2)
  const asked = await askedFor(projector, 3)
  expect(asked.filter(isCommit)).toHaveLength(1)
  expect(asked.length).toBeLessThanOrEqual(8)
})

test('an event that concerns no read model moves all checkpoints in one statement', async () => {
  const projector = await start(toys)
  counted.since()
  const event = { type: 'BuzzWithdrawn', from: ann, to: bea, at: AT } as const
  await projector.waitFor(await rig.append(stream, event), undefined, 10_000)
  const asked = counted.since().map((text) => text.trim())
  expect(asked.filter((text) => writes.test(text)).map((text) => text.split(/[ ;]/)[0])).toEqual([
    'begin',
    'update',
    'commit',
  ])
})

test('a paused read model stays behind alone, and shares transactions again once it has caught up', async () => {
  const projector = await start(toys)
  await pauseProjection(rig.pool, 'tallies')
  const position = await rig.append(stream, buzzed(ann, bea), sent(ann, bea, 1))
  expect(await projector.waitFor(position, ['lines'], 10_000)).toBe(true)
  await until('it is paused', () => projector.status()[0]?.state === 'paused')
  await appendLoad(rig, 6)
  await resumeProjection(rig.pool, 'tallies')
  expect(await projector.waitFor(await rig.log.head(), undefined, 10_000)).toBe(true)
  await until('both go together', async () => (await askedFor(projector, 2)).filter(isCommit).length === 1)
  expect(await rig.wrongRows(toys)).toEqual([])
})

const failing: Projection = {
  ...tallies,
  name: 'failing',
  tables: [{ ...tallies.tables[0]!, name: 'failing' }],
  when: {
    MessageSent: ({ number }) => {
      if (number === 13) throw new Error('thirteen')
      return []
    },
  },
}

test('what one of them cannot apply is quarantined by it alone, and all go on together', async () => {
  const projector = await start([lines, failing])
  await rig.append(stream, ...Array.from({ length: 20 }, (_, at) => sent(ann, bea, at + 1)))
  expect(await projector.waitFor(await rig.log.head(), undefined, 10_000)).toBe(true)
  const counts = projector.status().map(({ quarantined }) => quarantined)
  expect(counts).toEqual([0, 8])
  expect((await askedFor(projector, 21)).filter(isCommit)).toHaveLength(1)
  expect(await rig.wrongRows([lines])).toEqual([])
})

test('a row that is written whole and removed in one batch is gone', async () => {
  const projector = await start([lines])
  await projector.waitFor(await rig.append(stream, sent(ann, bea, 1)), undefined, 10_000)
  const position = await rig.append(stream, sent(ann, bea, 1), { type: 'AccountErased', member: ann, at: AT })
  expect(await projector.waitFor(position, undefined, 10_000)).toBe(true)
  expect((await rig.pool.query('select * from read.line')).rows).toEqual([])
})

test('one that has to wait for a lock keeps none of the others waiting', async () => {
  const projector = await start(toys)
  await askedFor(projector, 1)
  const locking = await rig.pool.connect()
  await locking.query('begin')
  await locking.query('lock table p_tallies_v1.tally in access exclusive mode')
  const position = await rig.append(stream, sent(ann, bea, 2))
  expect(await projector.waitFor(position, ['lines'], 5_000)).toBe(true)
  expect(await projector.waitFor(await rig.append(stream, sent(ann, bea, 3)), ['lines'], 5_000)).toBe(true)
  expect(await projector.waitFor(position, ['tallies'], 0)).toBe(false)
  await locking.query('rollback')
  locking.release()
  expect(await projector.waitFor(await rig.log.head(), undefined, 5_000)).toBe(true)
  await until('both go together', async () => (await askedFor(projector, 4)).filter(isCommit).length === 1)
  expect(await rig.wrongRows(toys)).toEqual([])
})
