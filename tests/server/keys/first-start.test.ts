import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { admitKeys, masterKeyId, WrongMasterKey } from '../../../server/keys/master-keys.ts'
import { type FreshDatabase, freshDatabase } from '../../support/fresh-database.ts'
import { appTemplate } from '../../support/templates/app.ts'

let database: FreshDatabase
let pool: pg.Pool
beforeAll(async () => {
  database = await freshDatabase({ template: appTemplate })
  pool = new pg.Pool(database.config)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})
beforeEach(async () => {
  await pool.query('truncate app.master_key, app.kept_key')
})

const noted = async () => (await pool.query<{ id: string }>('select id from app.master_key')).rows.map(({ id }) => id)
const starts = (...keys: Buffer[]) => Promise.allSettled(keys.map((masterKey) => admitKeys(pool, { masterKey })))

test('of two first starts with different keys one is let in, then and ever after, and the other leaves no trace', async () => {
  for (let round = 0; round < 10; round++) {
    await pool.query('truncate app.master_key, app.kept_key')
    const keys = [randomBytes(32), randomBytes(32)]
    const ended = await starts(...keys)
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const [winner, loser] = ended[0]!.status === 'fulfilled' ? keys : keys.toReversed()
    expect(await noted()).toEqual([masterKeyId(winner!)])
    await admitKeys(pool, { masterKey: winner! })
    await expect(admitKeys(pool, { masterKey: loser! })).rejects.toThrow(WrongMasterKey)
  }
})

test('two first starts with the same key are both let in, to the same grid', async () => {
  const key = randomBytes(32)
  const [one, other] = await Promise.all([admitKeys(pool, { masterKey: key }), admitKeys(pool, { masterKey: key })])
  expect(one).toEqual(other)
  expect(await noted()).toEqual([masterKeyId(key)])
})

test('a start that is refused at the last step can be made again with the right key', async () => {
  const [key, other] = [randomBytes(32), randomBytes(32)]
  await admitKeys(pool, { masterKey: key })
  await pool.query('truncate app.master_key')
  await expect(admitKeys(pool, { masterKey: other })).rejects.toThrow('was begun under another MASTER_KEY')
  expect(await noted()).toEqual([])
  await admitKeys(pool, { masterKey: key })
})
