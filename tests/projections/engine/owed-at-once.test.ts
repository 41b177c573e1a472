import { afterEach, beforeEach, expect, test } from 'vitest'
import { type MemberId, pairIdOf } from '../../../domain/shared/ids.ts'
import { message } from '../../../projections/conversations/message-table.ts'
import { conversations } from '../../../projections/conversations/project.ts'
import { BatchProcessor } from '../../../projections/engine/batch-processor.ts'
import { findQuarantined } from '../../../projections/engine/care/quarantined-keys.ts'
import { retryQuarantined } from '../../../projections/engine/care/retry.ts'
import { listTargets } from '../../../projections/engine/checkpoints.ts'
import { createDecode } from '../../../projections/engine/decoding.ts'
import { noteOwed, PIECE } from '../../../projections/engine/owed/owed.ts'
import { quarantine } from '../../../projections/engine/quarantine.ts'
import type { Projection } from '../../../projections/projection.ts'
import { relations } from '../../../projections/relations/project.ts'
import { AT, type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea, cat, dan] = ['Ann', 'Bea', 'Cat', 'Dan'].map(member) as [MemberId, MemberId, MemberId, MemberId]
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const erased = (who: MemberId) => ({ type: 'AccountErased' as const, member: who, at: AT })

/** Made by a projector that has ended. */
async function made(projection: Projection) {
  const projector = rig.project([projection])
  await projector.start()
  expect(await projector.waitFor(await rig.log.head(), undefined, 20_000)).toBe(true)
  await rig.stopProjectors()
  return (await listTargets(rig.pool, projection.name))[0]!
}

/** Answers the most rows of a table that one transaction has changed since. */
async function counting(table: string) {
  await rig.pool.query(`create table changed (tx bigint);
    create function counted() returns trigger language plpgsql as
      $$ begin insert into public.changed values (txid_current()); return coalesce(new, old); end $$;
    create trigger counted before update or delete on ${table} for each row execute function counted()`)
  return async () => {
    const asked = 'select count(*)::integer as rows from changed group by tx order by 1 desc limit 1'
    return (await rig.pool.query<{ rows: number }>(asked)).rows[0]?.rows ?? 0
  }
}

test('a retry of a key pays what an erasure has left in pieces, and none of it in its own transaction', async () => {
  await rig.append(pairStream(cat, dan), sent(cat, dan, 1))
  const target = await made(conversations)
  const all = PIECE * 3
  await rig.pool.query(
    `insert into p_conversations_v3.message (room, number, id, from_member, text, media, sent_at)
     select $1, n, 'm' || n, $2, 'word', null, now() from generate_series(1, $3::int) n`,
    [pairIdOf(ann, bea), ann, all],
  )
  const words = { id: null, text: null, media: null }
  await noteOwed(rig.pool, target, 'message', { table: message, where: { from_member: ann }, set: words })
  // As soon as it is paid, another erasure of the same rows comes once more.
  await rig.pool.query(`create function again() returns trigger language plpgsql as $$ begin
      insert into app.projection_owed (name, version, generation, rows_of, change)
        values (old.name, old.version, old.generation, old.rows_of, old.change);
      return old; end $$;
    create trigger again after delete on app.projection_owed for each row when (old.number = 1) execute function again()`)
  const [stored] = await rig.log.read(pairStream(cat, dan))
  await quarantine(rig.pool as never, target, [{ stored: stored!, reason: 'x' }])
  const [quarantined] = await findQuarantined(rig, pairIdOf(cat, dan))
  const most = await counting('p_conversations_v3.message')
  expect(await retryQuarantined(rig, conversations, quarantined!)).toMatchObject({ applied: 1, reason: null })
  expect((await rig.pool.query('select from p_conversations_v3.message where text is null')).rowCount).toBe(all)
  expect((await rig.pool.query('select from app.projection_owed')).rowCount).toBe(0)
  expect(await most()).toBe(PIECE)
})

test('an erasure goes in pieces also where an event before it had to wait for another erasure', async () => {
  const friends = Array.from({ length: 30 }, (_, index) => member(`friend ${index}`))
  for (const friend of friends)
    for (const one of [ann, bea])
      await rig.append(pairStream(one, friend), { type: 'Matched', members: [one, friend], at: AT })
  const target = await made(relations)
  const piece = 5
  const decode = createDecode(rig.codec, rig.keys)
  const deps = { pool: rig.pool, decode, projection: relations, piece }
  const processor = await BatchProcessor.of(deps, target, { poison: 'quarantined', owes: true })
  const most = await counting(`p_relations_v${relations.version}.relation`)
  await rig.append(`member-${ann}`, erased(ann))
  await processor.take(await rig.log.read(`member-${ann}`), target.logId)
  await rig.append(pairStream(ann, friends[29]!), { type: 'Unmatched', by: friends[29]!, target: ann, at: AT })
  await rig.append(`member-${bea}`, erased(bea))
  const left = await rig.log.read(pairStream(ann, friends[29]!), 1)
  await processor.take([...left, ...(await rig.log.read(`member-${bea}`))], target.logId)
  while (await processor.payPiece());
  expect(await rig.wrongRows([relations])).toEqual([])
  // It takes away rows of either side.
  expect(await most()).toBe(2 * piece)
})
