import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../../../server/embedded/lifecycle/process-identity.ts'
import { ROOT } from '../../../server/root.ts'
import { descendantsOf, freePort } from '../../drills/program-child.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

/** The product as it is typed, in a process group of its own, as a terminal has it. */
async function npmStart(): Promise<{ npm: ChildProcess; pid: number; below: number[] }> {
  const dataDir = makeTempDir('letsbuzz-npm-')
  const env = { ...process.env, LOG_LEVEL: 'error', DATA_DIR: dataDir, PORT: String(await freePort()) }
  const npm = spawn('npm', ['start', '--', '--no-demo'], {
    cwd: ROOT,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  for await (const line of createInterface(npm.stdout)) if (line.startsWith('Ctrl-C')) break
  const pid = npm.pid as number
  const below = descendantsOf(pid)
  onTestFinished(() => {
    for (const one of [pid, ...below].filter(isAlive)) process.kill(one, 'SIGKILL')
  })
  return { npm, pid, below }
}

test.runIf(process.platform === 'linux').each([
  ['SIGTERM to npm', (pid: number) => process.kill(pid, 'SIGTERM')],
  ['Ctrl-C, which every process of the group hears', (pid: number) => process.kill(-pid, 'SIGINT')],
])('%s stops the product, Postgres and the log in order, and npm waits for it', async (_name, stop) => {
  const { npm, pid, below } = await npmStart()
  expect(below.length).toBeGreaterThan(2)
  const ended = once(npm, 'exit')
  stop(pid)
  expect(await ended).toEqual([0, null])
  await until('nothing is left', () => !below.some(isAlive))
})
