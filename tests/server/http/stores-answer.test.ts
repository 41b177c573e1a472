import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createStoreCheck } from '../../../server/stores-answer.ts'
import { quiet } from '../../../services/quiet-pool.ts'
import { testDatabase } from '../../support/postgres.ts'
import { wayTo } from '../../support/servers/way-to.ts'
import { until } from '../../support/until.ts'

test('a connection that falls silent keeps readiness away for a moment, not for as long as it is open', async () => {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const { silence, ...address } = await wayTo(database.config)
  const pool = quiet(new pg.Pool({ ...database.config, ...address, max: 2 }))
  onTestFinished(() => pool.end())
  const log = { readAll: async () => [] }
  const check = createStoreCheck(
    { storage: { pool }, log } as unknown as Parameters<typeof createStoreCheck>[0],
    () => true,
  )
  const isReady = async () => (await check()).every(({ ready }) => ready)
  expect(await isReady()).toBe(true)
  silence()
  await until('the silence is noticed', async () => !(await isReady()))
  await until('another connection answers', isReady)
})
