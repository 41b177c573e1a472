import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { message } from '../../../projections/conversations/message-table.ts'
import { conversations } from '../../../projections/conversations/project.ts'
import { BatchProcessor } from '../../../projections/engine/batch-processor.ts'
import { rollback, swapFilled } from '../../../projections/engine/care/tables-by-hand.ts'
import { findLive, listTargets } from '../../../projections/engine/checkpoints.ts'
import { createDecode } from '../../../projections/engine/decoding.ts'
import { catchUpTo } from '../../../projections/engine/fill/fill.ts'
import { noteOwed } from '../../../projections/engine/owed/owed.ts'
import { rebuild } from '../../../projections/engine/rebuild.ts'
import { swapIn } from '../../../projections/engine/targets.ts'
import type { Projection } from '../../../projections/projection.ts'
import { relations } from '../../../projections/relations/project.ts'
import { AT, type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [MemberId, MemberId]
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const rebuilding = () => {
  const { log, codec, keys, pool } = rig
  return { log, codec, keys, pool, signal: new AbortController().signal }
}
const matched = (a: MemberId, b: MemberId) => ({
  type: 'Matched' as const,
  members: [a, b] as [MemberId, MemberId],
  at: AT,
})

async function live(projection: Projection) {
  const projector = rig.project([projection])
  await projector.start()
  expect(await projector.waitFor(await rig.log.head(), undefined, 20_000)).toBe(true)
  await rig.stopProjectors()
  return (await findLive(rig.pool, projection.name))!
}

test('tables that a rollback brings back pay what they owe before what came since', async () => {
  const friends = Array.from({ length: 20 }, (_, index) => member(`friend ${index}`))
  for (const friend of friends) await rig.append(pairStream(ann, friend), matched(ann, friend))
  const first = await live(relations)
  await rebuild(rebuilding(), relations, { swap: false })
  const second = (await listTargets(rig.pool, 'relations')).find(({ state }) => state === 'filling')!
  const deps = { pool: rig.pool, decode: createDecode(rig.codec, rig.keys), projection: relations, piece: 5 }
  await rig.append(`member-${ann}`, { type: 'AccountErased', member: ann, at: AT })
  const owing = await BatchProcessor.of(deps, first, { poison: 'quarantined', owes: true })
  await owing.take(await rig.log.read(`member-${ann}`), first.logId)
  // Swapped in by a process that compared them before the erasure.
  const next = await BatchProcessor.of(deps, second, { poison: 'stops' })
  await swapIn(rig.pool, relations, second, (to) => catchUpTo(rebuilding(), next, { count: () => undefined }, to))
  expect((await rig.pool.query('select distinct generation from app.projection_owed')).rows).toEqual([
    { generation: 1 },
  ])
  await rig.append(pairStream(ann, friends[19]!), { type: 'Unmatched', by: friends[19]!, target: ann, at: AT })
  expect(await rollback(rebuilding(), relations)).toMatchObject({ generation: 1, verdict: { same: true } })
  expect(await rig.wrongRows([relations])).toEqual([])
})

test('a rebuild that meets one erasure after the other swaps nothing uncompared, unless it is to swap whatever there is', async () => {
  await rig.append(pairStream(ann, bea), matched(ann, bea), ...[1, 2, 3].map((number) => sent(ann, bea, number)))
  const target = await live(conversations)
  await rig.pool.query(`update p_conversations_v3.message set sent_at = sent_at + interval '1 day' where number = 2`)
  await rig.pool.query(`create function again() returns trigger language plpgsql as $$ begin
      insert into app.projection_owed (name, version, generation, rows_of, change)
        values (old.name, old.version, old.generation, old.rows_of, old.change);
      return old; end $$;
    create trigger again after delete on app.projection_owed for each row execute function again()`)
  await noteOwed(rig.pool, target, 'message', { table: message, where: { from_member: 'nobody' }, set: { text: null } })
  await expect(rebuild(rebuilding(), conversations)).rejects.toThrow('conversations was not compared')
  const states = async () =>
    (await listTargets(rig.pool, 'conversations')).map(({ generation, state }) => `${generation} ${state}`)
  expect(await states()).toEqual(['2 filling', '1 live'])
  expect(await swapFilled(rebuilding(), conversations)).toMatchObject({ generation: 2, swapped: true, verdict: null })
})

test('live tables that a rebuild brings to an erasure change by pieces', async () => {
  const [words, piece] = [60, 5]
  const all = Array.from({ length: words }, (_, index) => sent(ann, bea, index + 1))
  await rig.append(pairStream(ann, bea), matched(ann, bea), ...all)
  await live(conversations)
  await rig.pool.query(`create table changed (tx bigint);
    create function counted() returns trigger language plpgsql as
      $$ begin insert into public.changed values (txid_current()); return new; end $$;
    create trigger counted before update on p_conversations_v3.message for each row execute function counted()`)
  await rig.append(`member-${ann}`, { type: 'AccountErased', member: ann, at: AT })
  expect(await rebuild({ ...rebuilding(), piece }, conversations)).toMatchObject({
    swapped: true,
    verdict: { same: true },
  })
  const asked = 'select count(*)::integer as rows from changed group by tx order by 1 desc'
  const counts = (await rig.pool.query<{ rows: number }>(asked)).rows.map(({ rows }) => rows)
  expect(counts).toEqual(Array.from({ length: words / piece }, () => piece))
})
