import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listTargets } from '../../projections/engine/checkpoints.ts'
import type { FillProgress } from '../../projections/engine/fill/meter.ts'
import { readWithPosition } from '../../projections/engine/read-with-position.ts'
import { rebuild } from '../../projections/engine/rebuild.ts'
import type { Projection } from '../../projections/projection.ts'
import type { ReadSchema } from '../../projections/schema.ts'
import { lines, tallies } from '../support/toy-projections.ts'
import { until } from '../support/until.ts'
import { appendLoad, type EngineRig, quiet, startEngineRig } from './engine-rig.ts'

const toys = [tallies, lines]
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const rebuildNow = (projection: Projection, more: Partial<Parameters<typeof rebuild>[0]> = {}) => {
  const { log, codec, keys, pool } = rig
  return rebuild({ log, codec, keys, pool, signal: new AbortController().signal, ...more }, projection)
}
const targets = async (name: string) =>
  (await listTargets(rig.pool, name)).map(({ version, generation, state }) => `${version}.${generation} ${state}`)

/** What was logged of new versions beside live ones. */
const comparisons = () =>
  rig.reports.flatMap(({ text }) => /^a new version was compared with live: (.*)/.exec(text)?.slice(1) ?? [])

test('a rebuild beside a running projector, under writes, ends with the same rows in new tables', async () => {
  const projector = rig.project(toys)
  await projector.start()
  await appendLoad(rig, 4, 'before')
  const writing = appendLoad(rig, 20, 'while')
  const { schema } = await rebuildNow(tallies)
  expect(schema).toBe('p_tallies_v1_2')
  await rebuildNow(tallies)
  await writing
  expect(await targets('tallies')).toEqual(['1.3 live', '1.2 retired'])
  expect(await projector.waitFor(await rig.log.head(), undefined, 15_000)).toBe(true)
  expect(await rig.wrongRows(toys)).toEqual([])
  const { rows } = await rig.pool.query(`select indexname from pg_indexes where schemaname = 'p_tallies_v1_3'`)
  expect(rows.map(({ indexname }) => indexname).sort()).toEqual(['tally_1', 'tally_pkey'])
})

test('a reader never sees time go back while tables are swapped', async () => {
  const projector = rig.project([tallies])
  await projector.start()
  const readers = quiet(new pg.Pool({ ...rig.config, max: 3 }))
  const db = new Kysely<ReadSchema>({ dialect: new PostgresDialect({ pool: readers }) })
  let stop = false
  let backwards = 0
  const seen = { reads: 0, last: '', total: 0 }
  const reading = (async () => {
    while (!stop) {
      const { data, pos } = await readWithPosition(db, rig.log, ['tallies'], async (trx) => {
        const { rows } = await sql<{
          total: number
        }>`select coalesce(sum(buzzed), 0)::integer as total from read.tally`.execute(trx)
        return rows[0]!.total
      })
      if (pos < seen.last || data < seen.total) backwards++
      Object.assign(seen, { reads: seen.reads + 1, last: pos, total: data })
    }
  })()
  const writing = appendLoad(rig, 20)
  for (let round = 0; round < 3; round++) await rebuildNow(tallies)
  await writing
  await projector.waitFor(await rig.log.head(), undefined, 15_000)
  stop = true
  await reading
  await db.destroy()
  expect(seen.reads).toBeGreaterThan(20)
  expect(backwards).toBe(0)
})

test('the position read with rows is exactly theirs', async () => {
  const projector = rig.project([tallies])
  await projector.start()
  const db = new Kysely<ReadSchema>({ dialect: new PostgresDialect({ pool: quiet(new pg.Pool(rig.config)) }) })
  await appendLoad(rig, 2)
  const head = await rig.log.head()
  await projector.waitFor(head, undefined, 10_000)
  const read = await readWithPosition(db, rig.log, ['tallies'], async (trx) => {
    await appendLoad(rig, 1, 'later')
    await projector.waitFor(await rig.log.head(), undefined, 10_000)
    return (await sql`select from read.tally where buzzed > 0`.execute(trx)).rows.length
  })
  expect(read).toEqual({ data: 11, pos: head })
  await db.destroy()
})

test('a rebuild that was stopped resumes in the same tables', async () => {
  await appendLoad(rig, 4)
  const projector = rig.project([tallies])
  await projector.start()
  const stop = new AbortController()
  const onProgress = ({ phase }: FillProgress) => {
    if (phase === 'index') stop.abort()
  }
  await expect(rebuildNow(tallies, { signal: stop.signal, onProgress })).rejects.toThrow()
  expect(await targets('tallies')).toEqual(['1.2 filling', '1.1 live'])
  const phases: string[] = []
  await rebuildNow(tallies, { onProgress: ({ phase, done }) => phases.push(`${phase} ${done}`) })
  expect(phases).toEqual(['index 0', 'verify 0', 'swap 0'])
  expect(await targets('tallies')).toEqual(['1.2 live', '1.1 retired'])
  expect(await rig.wrongRows([tallies])).toEqual([])
})

test('new code fills a new version behind the old views, and older code leaves it alone', async () => {
  const old = rig.project([tallies])
  await old.start()
  await appendLoad(rig, 3)
  await old.waitFor(await rig.log.head(), undefined, 10_000)
  const next = { ...tallies, version: 2 }
  const projector = rig.project([next])
  await projector.start()
  await until('the new version is live', async () => (await targets('tallies'))[0] === '2.1 live')
  expect(await until('it is logged', () => comparisons().join())).toBe('tally 12 rows, the same')
  await appendLoad(rig, 3, 'more')
  expect(await projector.waitFor(await rig.log.head(), undefined, 10_000)).toBe(true)
  expect(await targets('tallies')).toEqual(['2.1 live', '1.1 retired'])
  expect(await rig.wrongRows([next])).toEqual([])
  expect(await old.waitFor(await rig.log.head(), undefined, 10_000)).toBe(true)
  await until('the older code stands by', () => old.status()[0]?.state === 'outdated')
})

test.each([
  ["the log's table", true],
  ['the client', false],
])(
  'read through %s, a new version is compared with what live showed when its code stopped, and swapped in whatever it changed',
  async (_, direct) => {
    const old = rig.project([tallies])
    await old.start()
    await appendLoad(rig, 3)
    await old.waitFor(await rig.log.head(), undefined, 10_000)
    await old.stop()
    await appendLoad(rig, 3, 'unseen')
    const forgetful: Projection = { ...tallies, version: 2, when: { ...tallies.when, MessageSent: () => [] } }
    const projector = rig.project([forgetful], direct ? { table: rig.logDatabase } : {})
    await projector.start()
    await until('the new version is live', async () => (await targets('tallies'))[0] === '2.1 live')
    expect(await until('it is logged', () => comparisons().join())).toBe('tally 12 rows, others than the 12 live')
    expect(await projector.waitFor(await rig.log.head(), undefined, 10_000)).toBe(true)
    expect(await rig.wrongRows([forgetful])).toEqual([])
  },
)

test('tables filled from another log are filled again from this one', async () => {
  const first = rig.project([tallies])
  await first.start()
  await appendLoad(rig, 2)
  await first.waitFor(await rig.log.head(), undefined, 10_000)
  await first.stop()
  const other = await startEngineRig()
  await appendLoad(other, 1, 'elsewhere')
  const { log, codec } = other
  const projector = rig.project([tallies], { log, codec })
  await projector.start()
  expect(await projector.waitFor(await log.head(), undefined, 10_000)).toBe(true)
  const { rows } = await rig.pool.query('select buzzed from read.tally where buzzed > 0')
  expect(rows).toHaveLength(11)
  await projector.stop()
  await other.stop()
})
