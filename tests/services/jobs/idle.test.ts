import { expect, test } from 'vitest'
import { createJobWorker } from '../../../reactors/work-jobs.ts'
import { BEAT_MS } from '../../../services/jobs/killed.ts'
import { createLogger } from '../../../services/log.ts'
import { countedPool } from '../../projections/counted-pool.ts'
import { freshDatabase } from '../../support/fresh-database.ts'
import { appTemplate } from '../../support/templates/app.ts'
import { until } from '../../support/until.ts'
import { KINDS } from './kinds.ts'

const ROUNDS = 2
const AT_ONCE = 4
/** At no time: a job that comes by the clock is work. */
const NEVER = '0 0 30 2 *'

test('a worker without work asks less than once a second', async () => {
  const database = await freshDatabase({ template: appTemplate })
  const { pool, since } = countedPool(database.config)
  const counted = { ...database.config, Client: pool.options.Client }
  const handlers = { count: async () => null, sweep: async () => null }
  const logger = createLogger({ level: 'silent' })
  const recurring = { sweep: NEVER }
  const worker = createJobWorker({ database: counted, kinds: KINDS, handlers, recurring, logger })
  const asked: string[] = []
  const looks = () => {
    asked.push(...since())
    return asked.filter((text) => text.includes('_private_jobs') && text.includes('skip locked')).length
  }
  worker.start()
  // What it asks at its start is over by its second look.
  await until('it has looked twice', () => looks() >= 2 * AT_ONCE, 30_000)
  asked.length = 0
  const startedAt = performance.now()
  await until('it has looked more often', () => looks() >= ROUNDS * AT_ONCE, 30_000)
  const perSecond = asked.length / ((performance.now() - startedAt) / 1_000) + 1_000 / BEAT_MS
  process.stdout.write(`${perSecond.toFixed(2)} queries a second\n`)
  expect(perSecond).toBeLessThanOrEqual(1)
  await worker.stop()
  await pool.end()
  await database.drop()
}, 60_000)
