import pg from 'pg'
import { expect, test } from 'vitest'
import { testDatabase, testServer } from '../support/postgres.ts'

async function query(config: pg.ClientConfig, text: string): Promise<unknown[]> {
  const client = new pg.Client(config)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

test('each test database is empty and its own', async () => {
  const [one, other] = await Promise.all([testDatabase(), testDatabase()])
  await query(one.config, 'create table note (text text)')
  expect(await query(other.config, "select to_regclass('note') as found")).toEqual([{ found: null }])
  await Promise.all([one.drop(), other.drop()])
})

test('a template is migrated once, also when several ask for it at the same moment', async () => {
  let runs = 0
  const template = {
    name: 'notes',
    migrate: async (config: pg.ClientConfig) => {
      runs++
      await query(config, "create table note (text text); insert into note values ('hello')")
    },
  }
  const databases = await Promise.all([1, 2, 3].map(() => testDatabase({ template })))
  for (const { config } of databases) expect(await query(config, 'select text from note')).toEqual([{ text: 'hello' }])
  expect(runs).toBe(1)
  await Promise.all(databases.map((database) => database.drop()))
})

test('a dropped database is gone although a client is connected to it', async () => {
  const { config, name, drop } = await testDatabase()
  const client = new pg.Client(config)
  client.on('error', () => undefined)
  await client.connect()
  await drop()
  const databases = await testServer()
  const rows = await query(databases.clientConfig('postgres'), `select from pg_database where datname = '${name}'`)
  expect(rows).toEqual([])
  await client.end().catch(() => undefined)
})
