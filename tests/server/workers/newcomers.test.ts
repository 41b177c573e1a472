import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { withProc } from '../../services/support/processes.ts'
import { bundled } from '../../support/programs/bundled.ts'
import { until } from '../../support/until.ts'

/** Of which the smaller half is far more than a worker takes rounds for. */
const CROWD = 200
const FEW_ROUNDS = 25

const programOf = (name: string) => bundled(fileURLToPath(new URL(`../../support/programs/${name}`, import.meta.url)))

type Line = { readonly pid: number; readonly port?: number; readonly round?: number }

/** Two workers on one port, and in which round of its event loop each has taken each connection. */
async function twoWorkers() {
  const primary = spawn(process.execPath, [programOf('worker-port.ts'), programOf('counting-worker.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: Line[] = []
  createInterface({ input: primary.stdout }).on('line', (line) => lines.push(JSON.parse(line)))
  const listening = () => lines.filter(({ port }) => port !== undefined)
  const gone = once(primary.stdout, 'close')
  onTestFinished(async () => {
    for (const { pid } of listening()) signal(pid, 'SIGKILL')
    primary.kill('SIGKILL')
    await gone
  })
  await until('both listen', () => listening().length === 2)
  const [one, two] = listening() as [Line, Line]
  expect(one.port).toBe(two.port)
  const takenBy = (worker: Line) => lines.flatMap(({ pid, round }) => (pid === worker.pid && round) || [])
  return { one, two, port: one.port as number, takenBy, taken: () => takenBy(one).length + takenBy(two).length }
}

/** One that has ended hears nothing. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {}
}

/** Connections that all wait on the port. */
async function crowdAt(port: number): Promise<void> {
  const crowd = Array.from({ length: CROWD }, () => connect(port, '127.0.0.1'))
  onTestFinished(() => {
    for (const one of crowd) one.destroy()
  })
  for (const one of crowd) one.on('error', () => undefined)
  await Promise.all(crowd.map((one) => once(one, 'connect')))
}

const roundsOf = (taken: readonly number[]) => (taken.length ? Math.max(...taken) - Math.min(...taken) : 0)

withProc(() => {
  const mostWaiting = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  const roomy = test.skipIf(mostWaiting < CROWD)

  roomy('workers take dozens of a crowd in each round of their event loops', async () => {
    const { one, two, port, takenBy, taken } = await twoWorkers()
    for (const { pid } of [one, two]) process.kill(pid, 'SIGSTOP')
    await crowdAt(port)
    for (const { pid } of [one, two]) process.kill(pid, 'SIGCONT')
    await until('all are taken', () => taken() === CROWD)
    for (const worker of [one, two]) expect(roundsOf(takenBy(worker))).toBeLessThan(FEW_ROUNDS)
  })

  roomy('where a worker is frozen the other one takes every newcomer', async () => {
    const { one, two, port, takenBy } = await twoWorkers()
    process.kill(one.pid, 'SIGSTOP')
    await crowdAt(port)
    await until('all are taken', () => takenBy(two).length === CROWD)
    process.kill(one.pid, 'SIGKILL')
  })

  roomy('what comes while both are frozen is left to the one that is not killed', async () => {
    const { one, two, port, takenBy } = await twoWorkers()
    for (const { pid } of [one, two]) process.kill(pid, 'SIGSTOP')
    await crowdAt(port)
    process.kill(one.pid, 'SIGKILL')
    process.kill(two.pid, 'SIGCONT')
    await until('all are taken', () => takenBy(two).length === CROWD)
  })
})
