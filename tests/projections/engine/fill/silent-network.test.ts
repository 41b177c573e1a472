import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createCodec } from '../../../../eventstore/codec.ts'
import { createKeyRing } from '../../../../eventstore/keys.ts'
import type { HeardConfig } from '../../../../eventstore/postgres/heard-client.ts'
import { relations } from '../../../../projections/relations/project.ts'
import { enginePool } from '../../../../services/quiet-pool.ts'
import { wayTo } from '../../../support/servers/way-to.ts'
import { until } from '../../../support/until.ts'
import { appendLoad, startEngineRig } from '../../engine-rig.ts'

test('a filling whose network falls silent goes on over connections that answer', { timeout: 40_000 }, async () => {
  const rig = await startEngineRig()
  onTestFinished(() => rig.stop())
  await appendLoad(rig, 2)
  const { silence, ...address } = await wayTo(rig.config)
  const pool = enginePool({ ...rig.config, ...address, max: 16 }, 400, 400)
  const keys = createKeyRing(pool, rig.masterKey)
  const locker = new pg.Client(rig.config)
  await locker.connect()
  await locker.query('begin; lock table app.projection_checkpoint in exclusive mode')
  const projector = rig.project([relations], { pool, keys, codec: createCodec(keys) })
  const starting = projector.start().catch(() => undefined)
  // In the order that they are needed in: what ends last first.
  onTestFinished(async () => {
    await rig.stopProjectors()
    await starting
    await locker.end()
    await pool.end()
  })
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and query ilike '%projection_checkpoint%'`
  await until('its rows wait to be written', async () => (await rig.pool.query(waits)).rowCount !== 0)
  silence()
  await locker.query('rollback')
  await until('it is live', () => projector.status().every(({ state }) => state === 'live'), 20_000)
  expect(await rig.wrongRows([relations])).toEqual([])
})

test('a filling from the table of the log goes on over a new connection where it was silent', async () => {
  const rig = await startEngineRig()
  onTestFinished(() => rig.stop())
  await appendLoad(rig, 2)
  const { swallow, hasSwallowed, ...address } = await wayTo(rig.logDatabase)
  swallow('copy (')
  const projector = rig.project([relations], {
    table: { ...rig.logDatabase, ...address, silentMs: 400 } as HeardConfig,
  })
  const starting = projector.start().catch(() => undefined)
  await until('it is live', () => projector.status().every(({ state }) => state === 'live'), 10_000)
  await starting
  expect(hasSwallowed()).toBe(true)
  expect(await rig.wrongRows([relations])).toEqual([])
})
