import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createShowAlive, ended, freeKilled } from '../../../services/jobs/killed.ts'
import { wayTo } from '../../support/servers/way-to.ts'
import { until } from '../../support/until.ts'
import { type JobRig, startJobRig } from './rig.ts'
import { startStuckWorker } from './worker-child.ts'

const BEAT_MS = 100
const UNHEARD_MS = 2_500

let rig: JobRig
beforeEach(async () => {
  rig = await startJobRig()
})
afterEach(() => rig.stop())

/** The connections that show workers alive, and for how long each has been there. */
async function shown() {
  const { rows } = await rig.pool.query<{ pid: number; ms: number }>(
    `select pid, extract(epoch from now() - backend_start)::float8 * 1000 as ms
     from pg_stat_activity join pg_locks l using (pid)
     where application_name = 'job-worker' and datname = current_database() and l.locktype = 'advisory' and l.granted`,
  )
  return rows
}
async function startFrozen() {
  await rig.add('count', { row: 'left' })
  const child = await startStuckWorker(rig.config, BEAT_MS)
  onTestFinished(() => child.kill())
  return child
}
const isFreed = async () => {
  await freeKilled(rig.pool, UNHEARD_MS)
  return (await rig.jobs())[0].locked_by === null
}

test('a worker that is heard of keeps its job, and loses it once it is frozen', async () => {
  const child = await startFrozen()
  await until('it is there for long', async () => (await shown())[0]!.ms > UNHEARD_MS + 500)
  expect(await isFreed()).toBe(false)
  child.freeze()
  expect(await isFreed()).toBe(false)
  await until('its job is free', isFreed)
})

test('a worker that wakes up neither ends the job that others took up nor has it come again', async () => {
  const child = await startFrozen()
  child.freeze()
  await until('its job is free', isFreed)
  const over = new AbortController()
  let taken = false
  rig.work({
    async count() {
      taken = true
      await ended(over.signal)
      return null
    },
  })
  await until('another has it', () => taken)
  const [before] = await rig.jobs()
  child.wake()
  await until('it was noticed', () => child.lines.some((line) => line.includes('"errorName":"JobLost"')))
  await until('it shows that it is alive again', async () => (await shown()).length === 2)
  expect(await rig.jobs()).toMatchObject([{ id: before.id, locked_by: before.locked_by, locked_at: before.locked_at }])
  over.abort()
  await until('no job is left', async () => (await rig.jobs()).length === 0)
})

test('a worker over a network that falls silent shows itself, and works, over other connections', async () => {
  const way = await wayTo(rig.config)
  const done: string[] = []
  const count = async ({ row }: { row: string }) => {
    done.push(row)
    return null
  }
  const database = { ...rig.config, host: way.host, port: way.port }
  const worker = rig.work({ count }, { database, beatMs: BEAT_MS, silentMs: 800 })
  await rig.add('count', { row: 'before' })
  await until('it was done', () => done.includes('before'))
  const pids = (await shown()).map(({ pid }) => pid)
  expect(pids).toHaveLength(1)
  way.silence()
  await until('another connection shows it', async () => (await shown()).some(({ pid }) => !pids.includes(pid)))
  await rig.add('count', { row: 'after' })
  await until('that was done too', () => done.includes('after'))
  await worker.stop()
  // The library traces a look that fails while it stops.
  vi.mocked(console.error).mockClear()
})

test('what is owed later waits for a network that fell silent no longer than a look-up does', {
  timeout: 60_000,
}, async () => {
  const way = await wayTo(rig.config)
  const done: string[] = []
  const count = async ({ row }: { row: string }) => {
    done.push(row)
    return null
  }
  const database = { ...rig.config, host: way.host, port: way.port }
  const worker = rig.work({ count }, { database, silentMs: 1_500 })
  await rig.add('count', { row: 'before' })
  await until('it was done', () => done.includes('before'))
  way.silence()
  await rig.add('count', { row: 'after' })
  await until('that was done too', () => done.includes('after'), 40_000)
  await worker.stop()
  vi.mocked(console.error).mockClear()
})

/** Takes all that nothing holds on to out of memory. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

test('a worker that gets no answer shows itself over another connection, whatever memory is freed meanwhile', async () => {
  let connections = 0
  const silent = createServer(() => {
    connections += 1
  })
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const over = new AbortController()
  onTestFinished(() => {
    over.abort()
    silent.close()
  })
  const { port } = silent.address() as AddressInfo
  const alive = createShowAlive({ database: { ...rig.config, host: '127.0.0.1', port }, answerMs: 200 }, over.signal)
  void alive.show('worker')
  await until('it asks for the third time', () => {
    collectGarbage()
    return connections >= 3
  })
  over.abort()
  await alive.ended()
})
