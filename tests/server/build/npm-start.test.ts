import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { commandLineOf, isAlive } from '../../../server/embedded/lifecycle/process-identity.ts'
import { ROOT } from '../../../server/root.ts'
import { descendantsOf, freePort } from '../../drills/program-child.ts'
import { layCluster } from '../../support/cluster.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

const START_WITHIN_MS = 240_000

/** The product as it is typed, in a process group of its own, as a terminal has it. */
async function npmStart() {
  const dataDir = makeTempDir('letsbuzz-npm-')
  await layCluster(join(dataDir, 'postgres'))
  const env = { ...process.env, LOG_LEVEL: 'error', DATA_DIR: dataDir, PORT: String(await freePort()) }
  const npm = spawn('npm', ['start', '--', '--no-demo'], {
    cwd: ROOT,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const lines: string[] = []
  createInterface(npm.stdout).on('line', (line) => lines.push(line))
  const ready = () => lines.filter((line) => line.startsWith('Ctrl-C')).length
  await until('it is up', () => ready() === 1, START_WITHIN_MS)
  const pid = npm.pid as number
  const below = () => descendantsOf(pid)
  onTestFinished(() => {
    for (const one of [pid, ...below()].filter(isAlive)) process.kill(one, 'SIGKILL')
  })
  return { npm, pid, below, ready }
}

/** Whether npm waits for the product, Postgres and the log, which stop in order. */
async function expectEnd({ npm, ...started }: Awaited<ReturnType<typeof npmStart>>, stop: () => void): Promise<void> {
  const below = started.below()
  expect(below.length).toBeGreaterThan(3)
  const ended = once(npm, 'exit')
  stop()
  expect(await ended).toEqual([0, null])
  await until('nothing is left', () => !below.some(isAlive))
}

test.runIf(process.platform === 'linux')(
  'SIGTERM to npm stops the product, Postgres and the log in order, and npm waits for it',
  async () => {
    const started = await npmStart()
    await expectEnd(started, () => process.kill(started.pid, 'SIGTERM'))
  },
)

test.runIf(process.platform === 'linux')(
  'a product that dies is up again with its parts, and Ctrl-C, which every process of the group hears, stops them too',
  async () => {
    const started = await npmStart()
    const { pid, below, ready } = started
    const program = below().find((one) => commandLineOf(one)?.includes('/main.js'))
    process.kill(program!, 'SIGKILL')
    await until('it is up again', () => ready() === 2, START_WITHIN_MS)
    await expectEnd(started, () => process.kill(-pid, 'SIGINT'))
  },
)
