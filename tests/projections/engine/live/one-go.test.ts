import type { Socket } from 'node:net'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inOneGo, inTransaction, onOwnConnection } from '../../../../projections/engine/transaction.ts'
import { lines, tallies } from '../../../support/toy-projections.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../../engine-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [never, never]
const TEXTS = ['a', 'b'].map((letter) => letter.repeat(1_000))
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const streamOf = (db: pg.ClientBase) => (db as unknown as { connection: { stream: Socket } }).connection.stream

/** Bytes that are on their way to Postgres before the first answer can have come. */
async function sentBy(db: pg.ClientBase): Promise<number> {
  const before = streamOf(db).bytesWritten
  const running = inOneGo(db, TEXTS, async (text) => (await db.query('select $1::text as echo', [text])).rows[0].echo)
  const bytes = streamOf(db).bytesWritten - before
  expect(await running).toEqual(TEXTS)
  return bytes
}
const sentAtOnce = (limits: { pipelined?: true }) => inTransaction(rig.pool, sentBy, limits)

test('what a pipelined transaction asks in one go is all sent before the first answer', async () => {
  expect(await sentAtOnce({ pipelined: true })).toBeGreaterThan(2_000)
  expect(await sentAtOnce({})).toBeLessThan(2_000)
})

test('a connection that was pipelined sends one after the other for whoever has it next', async () => {
  const one = new pg.Pool({ ...rig.config, max: 1 })
  await inTransaction(one, sentBy, { pipelined: true })
  expect(await onOwnConnection(one, sentBy)).toBeLessThan(2_000)
  await one.end()
})

test('the first error of what goes in one go is thrown, and the connection serves the next transaction', async () => {
  const asked = ['select 1', 'select 1/0', 'select 2']
  const failing = inTransaction(rig.pool, (db) => inOneGo(db, asked, (text) => db.query(text)), { pipelined: true })
  await expect(failing).rejects.toMatchObject({ code: '22012' })
  expect(await sentAtOnce({})).toBeLessThan(2_000)
})

test('what failed is thrown, and not what Postgres passed over for it, whichever is heard of first', async () => {
  const failed = (code: string) => Object.assign(new pg.DatabaseError(code, 0, 'error'), { code })
  const pipelined = { pipeline: true } as unknown as pg.ClientBase
  const failing = inOneGo(pipelined, ['25P02', '22012', '25P02'], async (code) => Promise.reject(failed(code)))
  await expect(failing).rejects.toMatchObject({ code: '22012' })
})

test('where the begin of a transaction fails nothing behind it is done', async () => {
  const { pool } = rig
  await pool.query('create table seen (id int)')
  const failing = (db: pg.PoolClient) => {
    const query = db.query.bind(db) as (...asked: unknown[]) => unknown
    const cancelled = (text: unknown, ...more: unknown[]) =>
      query(typeof text === 'string' && text.startsWith('begin') ? 'select 1/0' : text, ...more)
    Object.assign(db, { query: cancelled })
  }
  const own = new pg.Pool(rig.config)
  own.on('connect', failing)
  const writing = inTransaction(own, (db) => db.query('insert into seen values (1)'), { pipelined: true })
  await expect(writing).rejects.toMatchObject({ code: '22012' })
  await own.end()
  expect((await pool.query('select * from seen')).rows).toEqual([])
})

/** How often each transaction that moves several checkpoints waits for Postgres, from its begin to its commit. */
function waitsOf(pool: pg.Pool): number[] {
  const all: number[] = []
  const watch = (db: pg.PoolClient) => {
    let [open, waits, moves] = [0, 0, false]
    const query = db.query.bind(db) as (asked: string | { name?: string }, ...more: unknown[]) => Promise<unknown>
    const counted = (asked: string | { name?: string }, ...more: unknown[]) => {
      const text = typeof asked === 'string' ? asked : (asked.name ?? '')
      if (text.startsWith('begin')) [waits, moves] = [0, false]
      if (text === 'compare and swap checkpoints') moves = true
      if (open++ === 0) waits++
      if (text === 'commit' && moves) all.push(waits)
      const answer = query(asked, ...more)
      const ends = () => void open--
      // The pool's own queries come with a callback.
      if (answer) answer.then(ends, ends)
      else ends()
      return answer
    }
    Object.assign(db, { query: counted })
  }
  pool.on('connect', watch)
  return all
}

test('a batch of two read models with a table each waits for Postgres four times', async () => {
  const waits = waitsOf(rig.pool)
  const projector = rig.project([lines, tallies])
  await projector.start()
  for (const number of [1, 2, 3]) {
    const at = await rig.append(pairStream(ann, bea), sent(ann, bea, number))
    expect(await projector.waitFor(at, undefined, 10_000)).toBe(true)
  }
  // It begins, moves the checkpoints and loads, writes, and commits.
  expect(waits.at(-1)).toBe(4)
})
