import { afterEach, beforeEach, expect, test } from 'vitest'
import { oweEffects } from '../../../reactors/effects.ts'
import { until } from '../../support/until.ts'
import { type JobRig, startJobRig } from './rig.ts'

let rig: JobRig
beforeEach(async () => {
  rig = await startJobRig()
})
afterEach(() => rig.stop())

const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** Adds once a worker has taken the job that waits, and before others can see that it has. */
async function addWhileTaken(key: string, add: () => Promise<unknown>): Promise<void> {
  const worker = await rig.pool.connect()
  await worker.query('begin')
  await worker.query(
    `update job._private_jobs set locked_by = 'pool-other', locked_at = now(), attempts = attempts + 1 where key = $1`,
    [key],
  )
  const added = add()
  await until('it waits for the worker', async () => (await rig.run(WAITING)).rowCount === 1)
  await worker.query('commit')
  worker.release()
  await added
}
test('a job that is added while the one that waits is being taken comes after it', async () => {
  await rig.add('count', { row: 'same' })
  await addWhileTaken('count:same', () => rig.add('count', { row: 'same' }))
  expect(await rig.jobs()).toMatchObject([
    { key: null, locked_by: 'pool-other', attempts: 25 },
    { key: 'count:same', locked_by: null, attempts: 0 },
  ])
})

test('a reactor is woken for what it owes while its job is being taken', async () => {
  await rig.run(`insert into app.reactor (name, position) values ('toy', 1)`)
  const owe = (from: number) => {
    const event = { id: `event${from}`, stream: 'toy-1', revision: from, position: BigInt(from) }
    return oweEffects(rig.pool, 'toy', { from, to: from + 1, events: [event] } as never)
  }
  expect(await owe(1)).toBe(true)
  await addWhileTaken('react:toy', () => owe(2))
  expect(await rig.jobs()).toMatchObject([
    { key: null, locked_by: 'pool-other' },
    { key: 'react:toy', locked_by: null },
  ])
})
