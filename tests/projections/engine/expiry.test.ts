import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DomainEvent } from '../../../domain/all-events.ts'
import { layoutOf } from '../../../projections/engine/columns.ts'
import { type RebuildDeps, rebuild } from '../../../projections/engine/rebuild.ts'
import { relations } from '../../../projections/relations/project.ts'
import { relation } from '../../../projections/relations/table.ts'
import { line } from '../../support/toy-projections.ts'
import { until } from '../../support/until.ts'
import { AT, buzzed, type EngineRig, member, pairStream, startEngineRig } from '../engine-rig.ts'

const [ann, bea, cat, dan] = ['Ann', 'Bea', 'Cat', 'Dan'].map(member) as [never, never, never, never]
const day = (n: number) => new Date(AT.getTime() + n * 86_400_000)
const schema = `p_relations_v${relations.version}`
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const skipped = (by: never, target: never, n: number): DomainEvent => ({
  type: 'Skipped',
  by,
  target,
  until: day(n + 112),
  at: day(n),
})
const liked = (from: never, to: never, n: number): DomainEvent => ({ ...buzzed(from, to), at: day(n) }) as DomainEvent
const deps = (more: Partial<RebuildDeps> = {}): RebuildDeps => {
  const { log, codec, keys, pool, logDatabase: table } = rig
  return { log, codec, keys, pool, table, signal: new AbortController().signal, ...more }
}
const skips = async (from = `${schema}.relation`) =>
  (await rig.pool.query(`select other from ${from} where skipped_until is not null`)).rows.map(({ other }) => other)

/** Ann passes over Bea and Cat, and likes Cat in time; then somebody's like comes 112 days later. */
async function passedOver() {
  const projector = rig.project([relations])
  await projector.start()
  const shown = async (stream: string, ...events: DomainEvent[]) =>
    expect(await projector.waitFor(await rig.append(stream, ...events), undefined, 20_000)).toBe(true)
  await shown(pairStream(ann, bea), skipped(ann, bea, 0))
  await shown(pairStream(ann, cat), skipped(ann, cat, 1), liked(ann, cat, 2))
  expect(await skips()).toEqual(expect.arrayContaining([bea, cat]))
  await shown(pairStream(dan, bea), liked(dan, bea, 111))
  expect(await skips()).toHaveLength(2)
  await shown(pairStream(dan, ann), liked(dan, ann, 112))
  return projector
}

test('a skip of 112 days ends with the first event behind it, and leaves what is beside it', async () => {
  await passedOver()
  expect(await skips()).toEqual([cat])
  expect(await rig.wrongRows([relations])).toEqual([])
})

test('a rebuild, in memory or not, gives the rows that live has, and both are compared', async () => {
  await passedOver()
  for (const bytesInMemory of [undefined, 500]) {
    const { verdict, swapped } = await rebuild(deps({ bytesInMemory }), relations)
    expect(verdict).toMatchObject({ same: true, tables: [{ rows: { live: 6, fresh: 6 } }] })
    expect(swapped).toBe(true)
    expect(await skips('read.relation')).toEqual([cat])
  }
  expect(await rig.wrongRows([relations])).toEqual([])
})

test('a filling that is resumed later removes what has expired since', async () => {
  await rig.append(pairStream(ann, bea), skipped(ann, bea, 0))
  await rebuild(deps(), relations, { swap: false })
  await rig.append(pairStream(dan, ann), liked(dan, ann, 112))
  expect(await rebuild(deps(), relations)).toMatchObject({ swapped: true })
  expect(await skips('read.relation')).toEqual([])
})

test('a row that is not removed yet is none where tables are compared', async () => {
  await passedOver()
  await rig.pool.query(
    `insert into ${schema}.relation (member, other, block_kept, skipped_until, ends_at) values ($1, $2, false, $3, $3)`,
    [dan, cat, day(100)],
  )
  expect(await rebuild(deps(), relations, { swap: false })).toMatchObject({ verdict: { same: true } })
})

test('a process that starts in between knows the time that the one before had come to', async () => {
  await passedOver()
  await rig.stopProjectors()
  const projector = rig.project([relations])
  await projector.start()
  // Its own end is behind the time of the events before it, though not behind its own.
  const late = await rig.append(pairStream(cat, dan), { ...skipped(cat, dan, 0), at: day(3), until: day(110) } as never)
  expect(await projector.waitFor(late, undefined, 20_000)).toBe(true)
  expect(await skips()).toEqual([cat])
  expect(await rebuild(deps(), relations)).toMatchObject({ verdict: { same: true } })
})

test('an erasure takes also rows whose time has passed and that are more than one batch removes', async () => {
  const projector = await passedOver()
  const ended = (member: string, other: string) =>
    rig.pool.query(
      `insert into ${schema}.relation (member, other, block_kept, skipped_until, ends_at)
       select coalesce($1, 'x' || n), coalesce($2, 'x' || n), false, $3, $3 from generate_series(1, 1500) n`,
      [member || null, other || null, day(50)],
    )
  await ended(ann, '')
  await ended('', ann)
  const gone = await rig.append(`member-${ann}`, { type: 'AccountErased', member: ann, at: day(113) })
  expect(await projector.waitFor(gone, undefined, 20_000)).toBe(true)
  const left = async () =>
    (await rig.pool.query(`select from ${schema}.relation where member = $1 or other = $1`, [ann])).rows.length
  await until('none is left', async () => (await left()) === 0)
})

test('an event of a wrong clock takes the log’s own time', async () => {
  const projector = rig.project([relations])
  await projector.start()
  await rig.append(pairStream(ann, bea), { ...skipped(ann, bea, 0), until: new Date('2099-01-01') } as never)
  const wrong = { ...liked(dan, bea, 0), at: new Date('2100-01-01') } as DomainEvent
  expect(await projector.waitFor(await rig.append(pairStream(dan, bea), wrong), undefined, 20_000)).toBe(true)
  expect(await skips()).toEqual([bea])
})

test('a table expires by a time, and has an index by it', async () => {
  const projector = rig.project([relations])
  await projector.start()
  const { rows } = await rig.pool.query('select indexdef from pg_indexes where schemaname = $1 and indexname = $2', [
    schema,
    'relation_expires',
  ])
  expect(rows[0]?.indexdef).toContain('(ends_at) WHERE (ends_at IS NOT NULL)')
  expect(relation.expires).toBe('ends_at')
  expect(() => layoutOf({ ...line, expires: 'text' } as never)).toThrow('line cannot expire by text')
})
