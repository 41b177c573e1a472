import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { conversations } from '../../../projections/conversations/project.ts'
import { BatchProcessor } from '../../../projections/engine/batch-processor.ts'
import { dropUnfollowed } from '../../../projections/engine/care/unfollowed-tables.ts'
import { listTargets } from '../../../projections/engine/checkpoints.ts'
import { createDecode } from '../../../projections/engine/decoding.ts'
import { rebuild } from '../../../projections/engine/rebuild.ts'
import { relations } from '../../../projections/relations/project.ts'
import { until } from '../../support/until.ts'
import { AT, type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea, cat, dan] = ['Ann', 'Bea', 'Cat', 'Dan'].map(member) as [MemberId, MemberId, MemberId, MemberId]
const TABLE = `p_conversations_v${conversations.version}.message`
const WRITTEN = 300
const PIECE = 20
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const start = async () => {
  const projector = rig.project([conversations, relations], { piece: PIECE })
  await projector.start()
  return projector
}
const left = async () =>
  (await rig.pool.query(`select from ${TABLE} where text is not null and from_member = $1`, [ann])).rows
const isGone = () =>
  until('nothing is owed', async () => (await rig.pool.query('select from app.projection_owed')).rows.length === 0)

/** Ann has written to Bea; each row of hers takes its time from now on. */
async function wrote() {
  const projector = await start()
  const all = Array.from({ length: WRITTEN }, (_, index) => sent(ann, bea, index + 1))
  const written = await rig.append(pairStream(ann, bea), { type: 'Matched', members: [ann, bea], at: AT }, ...all)
  expect(await projector.waitFor(written, undefined, 20_000)).toBe(true)
  await rig.pool.query(`create function slow() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.01); return new; end $$`)
  await rig.pool.query(`create trigger slow before update on ${TABLE} for each row execute function slow()`)
  return projector
}
const erase = (who: MemberId) => rig.append(`member-${who}`, { type: 'AccountErased', member: who, at: AT })

test('what others write shows while the words of an erased member are taken away', async () => {
  const projector = await wrote()
  const erased = await erase(ann)
  const message = await rig.append(pairStream(cat, dan), sent(cat, dan, 1))
  expect(await projector.waitFor(message, undefined, 10_000)).toBe(true)
  expect((await left()).length).toBeGreaterThan(WRITTEN / 2)
  expect(erased < message).toBe(true)
  expect((await dropUnfollowed(rig.pool, 'all')).busy).toEqual(['conversations'])
  await isGone()
  expect(await left()).toEqual([])
  expect((await dropUnfollowed(rig.pool, 'all')).busy).toEqual([])
  expect(await rig.wrongRows([conversations, relations])).toEqual([])
})

test('a process that ends on the way leaves the rest to the next one', async () => {
  const projector = await wrote()
  expect(await projector.waitFor(await erase(ann), undefined, 10_000)).toBe(true)
  await until('some are gone', async () => (await left()).length < WRITTEN - PIECE)
  // As a kill does: a piece is all or nothing.
  await rig.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like 'update%"message"%'`)
  await rig.stopProjectors()
  expect((await left()).length).toBeGreaterThan(0)
  await start()
  await isGone()
  expect(await left()).toEqual([])
  expect(await rig.wrongRows([conversations, relations])).toEqual([])
})

test('a process that stood still does not take away what came after others had finished', async () => {
  const projector = await wrote()
  expect(await projector.waitFor(await erase(ann), undefined, 10_000)).toBe(true)
  const [target] = (await listTargets(rig.pool, 'conversations')).filter(({ state }) => state === 'live')
  const decode = createDecode(rig.codec, rig.keys)
  const deps = { pool: rig.pool, decode, projection: conversations, piece: PIECE }
  const frozen = await BatchProcessor.of(deps, target!, { poison: 'quarantined', owes: true })
  expect(await frozen.payPiece()).toBe(true)
  await isGone()
  await rig.pool.query(`update ${TABLE} set text = 'later' where number > ${WRITTEN - 2}`)
  while (await frozen.payPiece());
  expect((await left()).length).toBe(2)
})

test('two erasures at once, each of many rows, and a rebuild beside them', async () => {
  const projector = await wrote()
  const answers = Array.from({ length: PIECE * 2 }, (_, index) => sent(bea, ann, WRITTEN + index + 1))
  await rig.append(pairStream(ann, bea), ...answers)
  await erase(ann)
  expect(await projector.waitFor(await erase(bea), undefined, 20_000)).toBe(true)
  const { log, codec, keys, pool } = rig
  const rebuilt = await rebuild({ log, codec, keys, pool, signal: new AbortController().signal }, conversations)
  expect(rebuilt).toMatchObject({ swapped: true, verdict: { same: true } })
  expect(await rig.wrongRows([conversations, relations])).toEqual([])
})
