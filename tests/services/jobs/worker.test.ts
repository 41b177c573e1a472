import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeJobSchema } from '../../../services/jobs/job-schema.ts'
import { freeKilled } from '../../../services/jobs/killed.ts'
import { quiet } from '../../../services/quiet-pool.ts'
import { freshDatabase } from '../../support/fresh-database.ts'
import { until } from '../../support/until.ts'
import { type JobRig, startJobRig } from './rig.ts'
import { startStuckWorker } from './worker-child.ts'

let rig: JobRig
let done: string[]
const count = async ({ row }: { row: string }) => {
  done.push(row)
  return null
}
beforeEach(async () => {
  rig = await startJobRig()
  done = []
})
afterEach(() => rig.stop())
const aliveLocks = async () => {
  const { rows } = await rig.pool.query(
    `select from pg_locks where locktype = 'advisory' and objsubid = 2 and classid = (hashtext('job-worker')::bigint & 4294967295)::oid`,
  )
  return rows.length
}
const noneIsLeft = () => until('no job is left', async () => (await rig.jobs()).length === 0)

test('of two processes one does a job, once', async () => {
  for (let n = 0; n < 4; n++) await rig.add('count', { row: `before${n}` })
  rig.work({ count })
  rig.work({ count })
  await Promise.all(Array.from({ length: 20 }, (_, n) => rig.add('count', { row: `row${n}` })))
  await noneIsLeft()
  expect(done).toHaveLength(24)
  expect(new Set(done).size).toBe(24)
})

test('a job is taken at once, however rarely the worker looks', async () => {
  rig.work({ count }, { pollMs: 3_600_000 })
  await until('it listens', async () => {
    const { rows } = await rig.pool.query(
      `select from pg_stat_activity where query like 'LISTEN%' and state = 'idle' and datname = current_database()`,
    )
    return rows.length === 1
  })
  await rig.add('count', { row: 'one' })
  await until('it was done', () => done.length === 1)
})

test('a job that was added in a transaction that fails is never done', async () => {
  rig.work({ count })
  const client = await rig.pool.connect()
  await client.query('begin')
  await client.query(`select job.add_job('count', '{"row":"never"}')`)
  await client.query('rollback')
  client.release()
  await rig.add('count', { row: 'later' })
  await noneIsLeft()
  expect(done).toEqual(['later'])
})

test('of a job that waits there is no second, and one that is added while it is done comes after it', async () => {
  await rig.add('count', { row: 'same' }, { inMs: 3_600_000 })
  await rig.add('count', { row: 'same' })
  expect(await rig.jobs()).toHaveLength(1)
  const again = [() => rig.add('count', { row: 'same' }), async () => undefined]
  rig.work({
    async count(payload) {
      await again.shift()?.()
      return count(payload)
    },
  })
  await until('it was done twice', () => done.length === 2)
  await noneIsLeft()
})

test('what is wanted at once is not put off by the one under way, which comes again later', async () => {
  const later = [3_600_000, null]
  rig.work({
    async count(payload) {
      await count(payload)
      if (done.length === 1) await rig.add('count', payload)
      return later.shift() ?? null
    },
  })
  await rig.add('count', { row: 'one' })
  await until('it was done twice', () => done.length === 2)
})

test('a job comes again when its handler asks for it, and waits until then', async () => {
  rig.work({
    async count(payload) {
      await count(payload)
      return done.length < 3 ? 1 : null
    },
  })
  await rig.add('count', { row: 'far' }, { inMs: 3_600_000 })
  await rig.add('count', { row: 'near' })
  await until('it came three times', () => done.length === 3)
  await until('the other is left', async () => (await rig.jobs()).length === 1)
  expect(done).toEqual(['near', 'near', 'near'])
})

test('a job that fails is tried again, each time later, and reported at its last try, without what it says', async () => {
  rig.work({
    async count() {
      done.push('tried')
      throw new RangeError('ann@example.com')
    },
  })
  await rig.add('count', { row: 'bad' })
  const pauses: number[] = []
  for (let tries = 1; tries <= 4; tries++) {
    const [job] = await until('it was tried', async () => {
      const jobs = await rig.jobs()
      return jobs[0]?.attempts === tries && !jobs[0].locked_at && jobs
    })
    pauses.push(job.in_s)
    const attempts = tries === 3 ? 24 : null
    await rig.pool.query('select job.reschedule_jobs(array[$1::bigint], run_at := now(), attempts := $2)', [
      job.id,
      attempts,
    ])
    if (tries === 3) break
  }
  await until('it was given up', () => rig.lines.some(({ level }) => level === 50))
  expect(pauses[0]).toBeGreaterThan(1)
  expect(pauses[1]! / pauses[0]!).toBeGreaterThan(2)
  expect(pauses[2]! / pauses[1]!).toBeGreaterThan(2)
  expect(rig.lines.map(({ level, name, count }) => [level, name, count])).toEqual([
    ...[1, 2, 3].map((tries) => [40, 'count', tries]),
    [50, 'count', 25],
  ])
  expect(JSON.stringify([rig.lines, await rig.jobs()])).not.toContain('ann@')
  expect((await rig.jobs())[0]).toMatchObject({ last_error: 'RangeError', attempts: 25 })
})

test('of two times at which the same job is to come again the sooner counts', async () => {
  const again = async (inMs: number) => {
    await rig.add('count', { row: 'same' }, { inMs, orSooner: true })
    return (await rig.jobs()).map(({ in_s }) => Math.ceil(in_s))
  }
  expect([await again(60_000), await again(20_000), await again(60_000)]).toEqual([[60], [20], [20]])
})

test('nothing but ids gets into a job', async () => {
  for (const row of ['ann@example.com', 'Ann Example', '+14155550123', ''])
    expect(() => rig.add('count', { row })).toThrow()
  expect(() => rig.add('count', { row: 'one', words: 'hello' } as never)).toThrow()
})

test('the job of a process that was killed is taken up by the next one that starts', async () => {
  await rig.add('count', { row: 'left' })
  const child = await startStuckWorker(rig.config)
  await freeKilled(rig.pool)
  expect(await rig.jobs()).toMatchObject([{ key: 'count:left', locked_by: expect.any(String), attempts: 1 }])
  await child.kill()
  rig.work({ count })
  await noneIsLeft()
  expect(done).toEqual(['left'])
})

test('a process that is there already takes up what a killed one left, once it looks for those', async () => {
  await rig.add('count', { row: 'left' })
  const child = await startStuckWorker(rig.config)
  rig.work({ count, sweep: () => freeKilled(rig.pool).then(() => null) })
  const look = async () => {
    await rig.add('sweep', {})
    const isOver = async () => (await rig.jobs()).every(({ key }) => key !== 'sweep')
    await until('it has looked', isOver)
  }
  await look()
  expect(done).toEqual([])
  await child.kill()
  await until('it was done', () => look().then(() => done.length === 1))
  await noneIsLeft()
})

test('a worker goes on once the database, or the connection that shows it alive, is back', async () => {
  const worker = rig.work({ count })
  await rig.add('count', { row: 'before' })
  await until('it was done', () => done.length === 1)
  await rig.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  const added = () =>
    rig.add('count', { row: 'after' }).then(
      () => true,
      () => false,
    )
  await until('a connection of the test is back, too', added)
  await until('that was done too', () => done.includes('after'))
  await until('it shows that it is alive', async () => (await aliveLocks()) > 0)
  await worker.stop()
  // The library traces a look that fails while it stops, as where the end of a job could not be noted.
  vi.mocked(console.error).mockClear()
})

test('a worker whose first look fails looks again', async () => {
  await rig.run(
    `create function job.refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
  )
  await rig.run(
    'create trigger refuse before insert on job._private_tasks for each statement execute function job.refuse()',
  )
  rig.work({ count })
  await until('it was noticed', () => rig.lines.length > 0)
  await rig.run('drop trigger refuse on job._private_tasks')
  await rig.add('count', { row: 'one' })
  await until('it was done', () => done.length === 1)
})

test('sweeps are one at a time, over all processes', async () => {
  let [under, most, swept] = [0, 0, 0]
  const sweep = async () => {
    most = Math.max(most, ++under)
    if (++swept <= 3) await rig.add('sweep', {})
    await until(
      'another process had its chance',
      async () => (await rig.add('count', { row: `during${swept}` })) && done.length >= swept,
    )
    under--
    return null
  }
  rig.work({ count, sweep })
  rig.work({ count, sweep })
  await rig.add('sweep', {})
  await until('all were swept', () => swept === 4 && under === 0)
  expect(most).toBe(1)
})

test('two processes that start at once on an empty database both have the tables', async () => {
  const empty = await freshDatabase()
  const pools = [1, 2, 3].map(() => quiet(new pg.Pool({ ...empty.config, max: 2 })))
  await Promise.all(pools.map(makeJobSchema))
  await Promise.all(pools.map(makeJobSchema))
  expect((await pools[0]!.query('select from job.jobs')).rows).toEqual([])
  await Promise.all(pools.map((pool) => pool.end()))
  await empty.drop()
})
