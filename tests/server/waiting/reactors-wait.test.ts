import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createJobs } from '../../../server/jobs.ts'
import { addJob } from '../../../services/jobs/add-job.ts'
import { createLogger } from '../../../services/log.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ web: false, config: { roles: new Set(['projector']) } })
})
afterAll(() => world.stop())

test('what reactors owe waits while rows are of a log that was set back, and is done once they are of this one', async () => {
  const { core, services } = world
  const performed: string[] = []
  let shows = false
  const reactors = {
    mails: () => false,
    async perform(name: string) {
      performed.push(name)
      return null
    },
  }
  const jobs = createJobs({
    core,
    services,
    reactors,
    exporter: {} as never,
    now: () => new Date(),
    showsLog: () => shows,
    logger: createLogger({ level: 'silent' }),
    pollMs: 50,
    recurs: false,
  })
  jobs.start()
  onTestFinished(() => jobs.stop())
  await addJob(core.storage.app, 'react', { reactor: 'mail' })
  const isPutOff = async () => {
    const { rows } = await core.storage.pool.query(
      `select run_at > created_at as later from job.jobs where key = 'react:mail'`,
    )
    return rows[0]?.later === true
  }
  await until('it was looked at', async () => performed.length > 0 || (await isPutOff()))
  expect(performed).toEqual([])
  shows = true
  await until('it is done', () => performed.length > 0)
  expect(performed).toEqual(['mail'])
})
