import { type ChildProcess, fork, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../../server/embedded/lifecycle/process-identity.ts'
import { supervise } from '../../server/embedded/lifecycle/supervise.ts'
import { bundled } from '../support/programs/bundled.ts'
import { until } from '../support/until.ts'

const CHILD_ROLE = fileURLToPath(new URL('./child-role.ts', import.meta.url))
const PARENT = fileURLToPath(new URL('./parent.ts', import.meta.url))

type Settings = { port: number; fails?: boolean; hangs?: boolean; sick?: boolean }
type Report = { port: number; pid: number }

async function start(settings: Settings, logged: string[] = []) {
  const child = await supervise<Settings, Report>({
    name: 'test',
    file: pathToFileURL(bundled(CHILD_ROLE)),
    settings,
    log: (_level, text) => void logged.push(text),
  })
  onTestFinished(() => child.stop(100))
  return child
}

test('a child that is killed comes back with what it had reported', async () => {
  const logged: string[] = []
  const child = await start({ port: 0 }, logged)
  expect(child.report.port).toBe(4321)
  const first = child.report.pid
  process.kill(first, 'SIGKILL')
  await until('the child is down', () => !child.isUp())
  await until('another one is up', () => child.isUp())
  expect(child.pid()).not.toBe(first)
  expect(logged).toEqual(['The test process ended; starting it again.'])
})

test('a child that cannot start fails the start with its own words', async () => {
  await expect(start({ port: 1, fails: true })).rejects.toThrow('The test process did not start: The port is taken.')
})

test('a child that no process was made for is sent no signal: it would meet another process', async () => {
  const signals: unknown[] = []
  const make = () => {
    const child = Object.assign(new EventEmitter(), {
      connected: false,
      kill: (signal: unknown) => signals.push(signal),
    })
    setImmediate(() => child.emit('error', new Error('spawn EMFILE')))
    return child as unknown as ChildProcess
  }
  const file = pathToFileURL(CHILD_ROLE)
  const starting = supervise({ name: 'test', file, fork: make, settings: {}, log: () => undefined })
  await expect(starting).rejects.toThrow('The test process did not start')
  expect(signals).toEqual([])
})

test('a child whose settings never come is ended, and the start fails with why', async () => {
  const made: ChildProcess[] = []
  const settings = Promise.reject(new Error('There is no database.'))
  const make = (file: URL) => {
    const child = fork(file)
    made.push(child)
    return child
  }
  const log = () => undefined
  await expect(
    supervise<Settings, Report>({ name: 'test', file: pathToFileURL(bundled(CHILD_ROLE)), fork: make, settings, log }),
  ).rejects.toThrow('The test process did not start: There is no database.')
  await until('it is ended', () => !isAlive(made[0]!.pid!))
})

test('a child leaves signals to its parent, and stops when the parent asks', async () => {
  const child = await start({ port: 1 })
  const { pid } = child.report
  process.kill(pid, 'SIGINT')
  process.kill(pid, 'SIGTERM')
  expect(child.isUp()).toBe(true)
  await child.stop()
  expect(isAlive(pid)).toBe(false)
  expect(child.isUp()).toBe(false)
})

test('a child that does not stop in time is killed', async () => {
  const child = await start({ port: 1, hangs: true })
  await child.stop(50)
  expect(isAlive(child.report.pid)).toBe(false)
})

test('a child that feels unwell is not up', async () => {
  const child = await start({ port: 1, sick: true })
  await until('the parent knows', () => !child.isUp())
  expect(isAlive(child.report.pid)).toBe(true)
})

test('a child ends by itself when its parent is killed', async () => {
  const parent = spawn(process.execPath, [bundled(PARENT)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let pid = 0
  for await (const line of createInterface(parent.stdout)) {
    pid = Number(line)
    break
  }
  expect(isAlive(pid)).toBe(true)
  parent.kill('SIGKILL')
  await until('the child has ended', () => !isAlive(pid))
})
