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

test('no worker takes a job whose time is being looked at', async () => {
  await rig.add('count', { row: 'same' })
  await rig.run(`create function job.wait_here() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(7); return null; end $$`)
  await rig.run(
    'create trigger wait before insert on job._private_tasks for each statement execute function job.wait_here()',
  )
  const gate = await rig.pool.connect()
  await gate.query('select pg_advisory_lock(7)')
  const added = rig.add('count', { row: 'same' }, { inMs: 3_600_000, orSooner: true })
  await until('it is between its look and its change', async () => (await rig.run(WAITING)).rowCount === 1)
  await rig.run(`update job._private_jobs set locked_by = 'pool-other', locked_at = now() where id in (
    select id from job._private_jobs where key = 'count:same' for update skip locked)`)
  await gate.query('select pg_advisory_unlock(7)')
  gate.release()
  await added
  const jobs = await rig.jobs()
  expect(jobs).toMatchObject([{ key: 'count:same', locked_by: null }])
  expect(jobs[0].in_s).toBeLessThan(10)
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
