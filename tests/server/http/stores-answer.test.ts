import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openStorage } from '../../../server/storage.ts'
import { createStoreCheck } from '../../../server/stores-answer.ts'
import { quiet } from '../../../services/quiet-pool.ts'
import { testDatabase } from '../../support/postgres.ts'
import { wayTo } from '../../support/servers/way-to.ts'
import { productTemplate } from '../../support/templates/product.ts'
import { until } from '../../support/until.ts'

test('a connection that falls silent keeps readiness away for a moment, not for as long as it is open', async () => {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const { silence, ...address } = await wayTo(database.config)
  const pool = quiet(new pg.Pool({ ...database.config, ...address, max: 2 }))
  onTestFinished(() => pool.end())
  const log = { readAll: async () => [] }
  const check = createStoreCheck(
    { storage: { look: pool }, log } as unknown as Parameters<typeof createStoreCheck>[0],
    () => true,
  )
  const isReady = async () => (await check()).every(({ ready }) => ready)
  expect(await isReady()).toBe(true)
  silence()
  await until('the silence is noticed', async () => !(await isReady()))
  await until('another connection answers', isReady)
})

test('a table that is locked does not make Postgres away, however many look-ups wait for it', async () => {
  const database = await testDatabase({ template: productTemplate })
  onTestFinished(() => database.drop())
  const storage = await openStorage(database.config)
  onTestFinished(() => storage.close())
  const [locker, admin] = [new pg.Client(database.config), new pg.Client(database.config)]
  for (const client of [locker, admin]) {
    await client.connect()
    onTestFinished(() => client.end())
  }
  await locker.query('begin; lock table app.snapshot in access exclusive mode')
  const lookUps = Array.from({ length: 20 }, () => storage.pool.query('select from app.snapshot limit 1'))
  const settled = Promise.allSettled(lookUps)
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until('all that are asked at once wait', async () => (await admin.query(waiting)).rowCount === 8)
  const check = createStoreCheck(
    { storage, log: { readAll: async () => [] } } as unknown as Parameters<typeof createStoreCheck>[0],
    () => true,
  )
  expect((await check()).map(({ role, ready }) => [role, ready])).toEqual([
    ['postgres', true],
    ['log', true],
  ])
  await locker.query('rollback')
  await settled
})
