import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { preparingClient } from '../../services/prepared.ts'
import { type TestDatabase, testDatabase } from '../support/postgres.ts'

let database: TestDatabase
let pool: pg.Pool

beforeAll(async () => {
  database = await testDatabase()
  pool = new pg.Pool({ ...database.config, max: 1, Client: preparingClient() })
  await pool.query('create table note (id integer, text text)')
  await pool.query("insert into note values (1, 'one'), (2, 'two')")
  await pool.query('create view shown as select id, text from note')
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

/** As a query builder asks: on a connection of the pool, for a promise. */
async function ask(text: string, id: number): Promise<unknown[]> {
  const client = await pool.connect()
  return client
    .query<Record<string, unknown>>(text, [id])
    .then(({ rows }) => rows)
    .finally(() => client.release())
}

const plans = () =>
  pool.query('select statement from pg_prepared_statements').then(({ rows }) => rows.map((row) => row.statement))

test('a query that is asked often is prepared once, and answers for each of its values', async () => {
  const text = 'select text from note where id = $1'
  for (let n = 0; n < 30; n++) expect(await ask(text, 1 + (n % 2))).toEqual([{ text: n % 2 ? 'two' : 'one' }])
  expect(await plans()).toEqual([text])
})

test('a query that is asked now and then, or is to be planned each time, is not kept', async () => {
  const before = await plans()
  for (let n = 0; n < 30; n++) await ask('/* planned each time */ select text from note where id = $1', 1)
  for (let n = 0; n < 5; n++) await ask('select id from note where id = $1', 1)
  expect(await plans()).toEqual(before)
})

test('a view that gains a column answers with it, although its query was prepared before', async () => {
  const text = 'select * from shown where id = $1'
  for (let n = 0; n < 30; n++) await ask(text, 1)
  await pool.query('create or replace view shown as select id, text, length(text) as size from note')
  for (let n = 0; n < 3; n++) expect(await ask(text, 2)).toEqual([{ id: 2, text: 'two', size: 3 }])
})

test('other failures of a prepared query come through', async () => {
  const text = 'select 1 / $1::integer as whole'
  for (let n = 0; n < 30; n++) await ask(text, 1)
  await expect(ask(text, 0)).rejects.toThrow(/division by zero/)
})
