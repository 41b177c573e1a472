import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { message } from '../../../projections/conversations/message-table.ts'
import { conversations } from '../../../projections/conversations/project.ts'
import { NotCompared } from '../../../projections/engine/care/verify.ts'
import { findLive } from '../../../projections/engine/checkpoints.ts'
import { listOwed, noteOwed } from '../../../projections/engine/owed/owed.ts'
import { rebuild } from '../../../projections/engine/rebuild.ts'
import { AT, type EngineRig, member, pairStream, quiet, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [MemberId, MemberId]
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** A pool that calls `act` before each look for what is owed, with how many there were. */
function watched(config: pg.PoolConfig, act: (looks: number) => Promise<unknown>) {
  let looks = 0
  class Watching extends pg.Client {
    override query(...given: unknown[]): never {
      const ask = () => (super.query as (...given: unknown[]) => unknown)(...given)
      const isLook = typeof given[0] === 'string' && given[0].includes('from app.projection_owed where')
      return (isLook ? act(++looks).then(ask) : ask()) as never
    }
  }
  return quiet(new pg.Pool({ ...config, max: 6, Client: Watching as never }))
}

/** A process that feeds the read model, for a minute. */
async function feeds() {
  await rig.pool.query(`with process as (insert into app.projector (process, pid, started, wants, behind, seen_at)
      values (gen_random_uuid(), 1, now(), '{conversations}', false, now() + interval '1 minute') returning process)
    insert into app.projection_lease (name, process) select 'conversations', process from process`)
}

/** Of the release before, without a process. */
async function liveOwing(debts: number) {
  const projector = rig.project([conversations])
  await projector.start()
  const matched = { type: 'Matched' as const, members: [ann, bea] as [MemberId, MemberId], at: AT }
  const last = await rig.append(pairStream(ann, bea), matched, sent(ann, bea, 1))
  expect(await projector.waitFor(last, undefined, 20_000)).toBe(true)
  await rig.stopProjectors()
  const live = (await findLive(rig.pool, conversations.name))!
  const change = { table: message, where: { from_member: 'nobody' }, set: { text: null } }
  for (let debt = 0; debt < debts; debt++) await noteOwed(rig.pool, live, 'message', change)
  return live
}

const rebuiltBy = (pool: pg.Pool, liveComesMs: number) => {
  const { log, codec, keys } = rig
  const deps = { log, codec, keys, pool, signal: new AbortController().signal, liveComesMs }
  return rebuild(deps, { ...conversations, version: conversations.version + 1 })
}

/** A rebuild of the next release, beside a live read model that owes so much; another process pays one with every so many looks. */
async function rebuiltBeside({ debts, paidAt, liveComesMs }: { debts: number; paidAt: number; liveComesMs: number }) {
  const live = await liveOwing(debts)
  await feeds()
  const first = 'delete from app.projection_owed where number = (select min(number) from app.projection_owed)'
  const pool = watched(rig.config, async (looks) => looks % paidAt === 0 && rig.pool.query(first))
  const rebuilt = await rebuiltBy(pool, liveComesMs)
  expect(await listOwed(rig.pool, live)).toEqual([])
  await pool.end()
  return rebuilt
}

// Both are more looks than there is time for without it.
test('a rebuild waits longer for a live read model of another release to pay a debt than for a step of its events', async () => {
  const rebuilt = await rebuiltBeside({ debts: 1, paidAt: 60, liveComesMs: 200 })
  expect(rebuilt).toMatchObject({ swapped: true, verdict: { same: true } })
})

test('it waits as long for each of the debts', async () => {
  const rebuilt = await rebuiltBeside({ debts: 40, paidAt: 4, liveComesMs: 50 })
  expect(rebuilt).toMatchObject({ swapped: true, verdict: { same: true } })
})

/** How long a rebuild waits before it gives up, in times of what it has for a step. */
async function waitsFor(liveComesMs: number) {
  const startsAt = performance.now()
  await expect(rebuiltBy(rig.pool, liveComesMs)).rejects.toThrow(NotCompared)
  return (performance.now() - startsAt) / liveComesMs
}

test('it waits once for a debt that nobody pays, and no longer than for a step where no process feeds live', async () => {
  await liveOwing(1)
  expect(await waitsFor(1_000)).toBeLessThan(5)
  await feeds()
  const waits = await waitsFor(250)
  expect(waits).toBeGreaterThan(12)
  expect(waits).toBeLessThan(24)
})
