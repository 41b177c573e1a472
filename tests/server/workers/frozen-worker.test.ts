import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAlive } from '../../../server/embedded/lifecycle/process-identity.ts'
import { workersOf } from '../../drills/footprint.ts'
import { freePort, type Program, startProgram } from '../../drills/program-child.ts'
import { PASSWORD, signUp } from '../../drills/program-people.ts'
import { layCluster } from '../../support/cluster.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'
import { connectionTo, type Kept, statusOfNew } from './at-worker.ts'

let program: Program
let port: number
let workers: number[]
let frozen: Kept[]
let other: Kept
const dataDir = makeTempDir('letsbuzz-frozen-')
const email = 'ann@example.com'
/** More than have their turn at once. */
const SIGN_INS = 12

beforeAll(async () => {
  port = await freePort()
  await layCluster(join(dataDir, 'postgres'))
  program = await startProgram({ dataDir, port, env: { WEB_WORKERS: '2', LOG_LEVEL: 'error' } })
  workers = workersOf(program.pid)
  const [first = 0, second = 0] = workers
  other = await connectionTo(port, second, workers)
  frozen = []
  while (frozen.length < SIGN_INS) frozen.push(await connectionTo(port, first, workers))
  await signUp(program.url, email)
})
afterAll(async () => {
  for (const { worker } of frozen ?? []) if (isAlive(worker)) process.kill(worker, 'SIGCONT')
  for (const kept of [...(frozen ?? []), other]) kept?.close()
  await program?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const signIn = (at: Kept) => at.ask('/api/auth/login', { method: 'POST', body: { email, password: PASSWORD } })
const passed = (ms: number) => {
  const end = performance.now() + ms
  return until(`${ms} ms are over`, () => performance.now() >= end)
}

test('a worker that answers nothing for two seconds stays', async () => {
  const [{ worker, ask }] = frozen as [Kept]
  process.kill(worker, 'SIGSTOP')
  await passed(2_000)
  process.kill(worker, 'SIGCONT')
  expect((await ask('/healthz')).status).toBe(200)
  expect(workersOf(program.pid).sort()).toEqual([...workers].sort())
})

test('the turns of a frozen worker are free again within seconds, and another worker takes its place', async () => {
  const { worker } = frozen[0]!
  const asked = frozen.map((kept) => signIn(kept).catch(() => null))
  await Promise.race(asked)
  process.kill(worker, 'SIGSTOP')
  // The other one takes all of these.
  const news = Array.from({ length: 4 }, () => statusOfNew(port))
  const startedAt = performance.now()
  expect((await signIn(other)).status).toBe(200)
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  await until('the frozen one is gone', () => !isAlive(worker))
  expect(await Promise.all(asked)).toContain(null)
  expect(await Promise.all(news)).toEqual([200, 200, 200, 200])
  await until('another one is there', () => workersOf(program.pid).length === 2)
  const [fresh = 0] = workersOf(program.pid).filter((pid) => !workers.includes(pid))
  await until(
    'it answers',
    async () => {
      const found = await connectionTo(port, fresh, workersOf(program.pid)).catch(() => null)
      found?.close()
      return found?.worker === fresh
    },
    60_000,
  )
}, 120_000)
