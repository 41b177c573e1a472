import { afterAll, beforeAll, expect, test } from 'vitest'
import { addJob } from '../../services/jobs/add-job.ts'
import { until } from '../support/until.ts'
import { startWorld, type World } from '../support/world.ts'

let world: World
let ahead = 0
beforeAll(async () => {
  world = await startWorld({ web: false, now: () => new Date(Date.now() + ahead) })
})
afterAll(() => world.stop())

test('the job that sweeps forgets what is over by the clock of the product', async () => {
  const { app } = world.core.storage
  const codes = () => app.selectFrom('code').selectAll().execute()
  await world.services.codes.issue('reset', world.services.credentials.emailKey('ann@example.com'))
  await addJob(app, 'sweep', {})
  await until('it was swept', async () => (await world.core.storage.pool.query('select from job.jobs')).rowCount === 0)
  expect(await codes()).toHaveLength(1)
  ahead = 86_400_000
  await addJob(app, 'sweep', {})
  await until('the code is gone', async () => (await codes()).length === 0)
})
