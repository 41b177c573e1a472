import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DomainEvent, EventNamed } from '../../domain/all-events.ts'
import { START } from '../../domain/shared/recorded.ts'
import { createCodec } from '../../eventstore/codec.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { CheckpointConflict } from '../../projections/engine/apply.ts'
import { BatchProcessor } from '../../projections/engine/batch-processor.ts'
import { withRebuildLock } from '../../projections/engine/care/rebuild-lock.ts'
import { listTargets } from '../../projections/engine/checkpoints.ts'
import { createDecode } from '../../projections/engine/decoding.ts'
import { NewerCode, rebuild } from '../../projections/engine/rebuild.ts'
import { findOrMakeTarget } from '../../projections/engine/targets.ts'
import { projectorState } from '../../server/projector-state.ts'
import { LATER } from '../eventstore/later-release.ts'
import { compareWithTables, foldOfLog } from '../support/fold-of-log.ts'
import { lines, tallies } from '../support/toy-projections.ts'
import { until } from '../support/until.ts'
import { appendLoad, buzzed, type EngineRig, member, pairStream, sent, startEngineRig } from './engine-rig.ts'

const [ann, bea, cleo] = ['Ann', 'Bea', 'Cleo'].map(member) as [never, never, never]
const toys = [tallies, lines]
const [changed, other] = [pairStream(ann, bea), pairStream(ann, cleo)]
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const quarantined = async () => (await rig.pool.query('select * from app.quarantine')).rows
const later = () => createCodec(rig.keys, LATER)
const wrongRows = async () => compareWithTables(rig.pool, toys, await foldOfLog(rig.log, later(), toys))

const meta = { commandId: uuidFrom('c'), correlationId: 'c', causationId: 'c', actor: 'system' }

/** As a process of the later release appends it. */
async function appendLater(number: number, revision: number, ...before: DomainEvent[]) {
  const event = { ...sent(ann, bea, number), mood: 'merry' } as EventNamed<'MessageSent'>
  const ids = [...before, event].map((_, at) => uuidFrom(changed, revision + at))
  const old = await rig.codec.encode(changed, before, ids, meta)
  const stored = await later().encode(changed, [event], ids.slice(before.length), meta)
  return (await rig.log.append(changed, revision === 0 ? 'no_stream' : revision - 1, [...old, ...stored])).position
}

test('a projector stops at what a later release wrote, and is not ready; nothing is quarantined', async () => {
  const old = rig.project(toys)
  await old.start()
  const at = await appendLater(2, 0, buzzed(ann, bea), sent(ann, bea, 1))
  await rig.append(other, sent(ann, cleo, 1))
  await until('it has stopped', () => old.status().every(({ error }) => error?.includes('too old')))
  const [before] = (await rig.log.readAll(START, 10)).filter(({ revision }) => revision === 1)
  expect([...new Set(old.positions().values())]).toEqual([before?.position])
  expect(before!.position < at).toBe(true)
  expect(projectorState(old.status()).ready).toBe(false)
  expect(await quarantined()).toEqual([])
  expect(rig.reports.map(({ text }) => text)).toContain('a read model is stuck')
})

test('a process of the later release takes over at the same tables, and every row is right', async () => {
  const old = rig.project(toys)
  await old.start()
  await appendLater(2, 0, buzzed(ann, bea), sent(ann, bea, 1))
  await until('the old one has stopped', () => old.status().every(({ error }) => error !== null))
  const next = rig.project(toys, { codec: later() })
  await next.start()
  const position = await rig.append(other, buzzed(ann, cleo), sent(ann, cleo, 1))
  expect(await next.waitFor(position, undefined, 10_000)).toBe(true)
  expect(await wrongRows()).toEqual([])
  await until('the later one feeds them', () => next.status().every(({ state }) => state === 'live'))
  await until('the old one sees it', () => old.status().every(({ state }) => state === 'following'), 20_000)
  expect(projectorState(old.status()).ready).toBe(false)
  expect(await quarantined()).toEqual([])
  expect(await old.waitFor(position, undefined, 10_000)).toBe(true)
  await old.stop()
  const last = await appendLater(3, 3)
  expect(await next.waitFor(last, undefined, 10_000)).toBe(true)
  expect(await wrongRows()).toEqual([])
  await until('the later one feeds them', () => next.status().every(({ state }) => state === 'live'))
  await until('the old one sees it', () => old.status().every(({ state }) => state === 'following'), 20_000)
  expect(projectorState(old.status()).ready).toBe(false)
})

test('tables that a rebuild of newer code fills are left to it, and make room once it is gone', async () => {
  await appendLoad(rig, 1)
  const newer = { ...tallies, version: 2 }
  const versions = async () =>
    (await rig.pool.query('select version, state from app.projection_target')).rows.map(({ version }) => version)
  await withRebuildLock(rig.pool, 'tallies', async () => {
    const begun = await findOrMakeTarget(rig.pool, rig.log, newer)
    expect(begun).toMatchObject({ do: 'fill', target: { version: 2 } })
    expect(await findOrMakeTarget(rig.pool, rig.log, tallies)).toMatchObject({ do: 'wait', newer: { version: 2 } })
    expect(await versions()).toEqual([2])
  })
  expect(await findOrMakeTarget(rig.pool, rig.log, tallies)).toMatchObject({ do: 'fill', target: { version: 1 } })
  expect(await versions()).toEqual([1])
})

test('beside live tables of its own an older release leaves what newer code has begun', async () => {
  await appendLoad(rig, 1)
  const { log, codec, keys, pool } = rig
  const deps = { log, codec, keys, pool, signal: new AbortController().signal }
  await rebuild(deps, tallies)
  await findOrMakeTarget(pool, log, { ...tallies, version: 2 })
  await expect(rebuild(deps, tallies)).rejects.toThrow(NewerCode)
  const states = (await listTargets(pool, 'tallies')).map(({ version, state }) => `${version} ${state}`)
  expect(states.sort()).toEqual(['1 live', '2 filling'])
})

test('tables that were swapped out move no more, whoever still feeds them', async () => {
  await appendLoad(rig, 1)
  const { log, codec, keys, pool } = rig
  const deps = { log, codec, keys, pool, signal: new AbortController().signal }
  await rebuild(deps, tallies)
  const [before] = await listTargets(pool, 'tallies')
  const feeding = await BatchProcessor.of({ pool, decode: createDecode(codec, keys), projection: tallies }, before!, {
    poison: 'quarantined',
  })
  await rebuild(deps, tallies)
  const position = await rig.append(other, buzzed(ann, cleo))
  const batch = await log.readAll(before!.position, 10)
  await expect(feeding.take(batch, await log.id())).rejects.toThrow(CheckpointConflict)
  const retired = (await listTargets(pool, 'tallies')).find(({ state }) => state === 'retired')
  expect(retired!.position < position).toBe(true)
})

test('a rollback fills tables that nobody else moves, whoever has not noticed that they were swapped out', async () => {
  await appendLoad(rig, 1)
  const { log, codec, keys, pool } = rig
  const deps = { log, codec, keys, pool, signal: new AbortController().signal }
  await rebuild(deps, tallies)
  const [before] = await listTargets(pool, 'tallies')
  const late = { pool, decode: createDecode(codec, keys), projection: tallies }
  const feeding = await BatchProcessor.of(late, before!, { poison: 'quarantined' })
  await rebuild(deps, tallies)
  const retired = (await listTargets(pool, 'tallies')).find(({ state }) => state === 'retired')!
  await rig.append(other, buzzed(ann, cleo))
  const batch = await log.readAll(before!.position, 10)
  await expect(feeding.take(batch, await log.id())).rejects.toThrow(CheckpointConflict)
  const rolling = await BatchProcessor.of(late, retired, { poison: 'quarantined' })
  await rolling.take(batch, await log.id())
})
