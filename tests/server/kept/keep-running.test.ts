import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../../../server/embedded/lifecycle/process-identity.ts'
import { bundled } from '../../support/programs/bundled.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { until } from '../../support/until.ts'

const file = (name: string) => bundled(fileURLToPath(new URL(name, import.meta.url)))

/** Little memory, so that it is soon used up. */
const MEMORY = { NODE_OPTIONS: '--max-old-space-size=40' }

/** The program, and all lines that it and its keeper print. Pauses are a hundredth of what they are. */
function keep(
  how: string,
  { patienceMs = 60_000, firstPauseMs = 1, more = [] as readonly string[], memory = MEMORY as object } = {},
): { keeper: ChildProcess; lines: string[]; pids: () => number[]; ended: Promise<unknown[]> } {
  const files = [file('./keeper.ts'), file('./program.ts')]
  const args = [...files, `${patienceMs}`, `${firstPauseMs}`, how, ...more]
  const env = { ...process.env, ...memory }
  const keeper = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  createInterface(keeper.stdout).on('line', (line) => lines.push(line))
  const pids = () => lines.filter((line) => line.startsWith('up ')).map((line) => Number(line.slice(3)))
  onTestFinished(() => {
    for (const pid of [keeper.pid as number, ...pids()].filter(isAlive)) process.kill(pid, 'SIGKILL')
  })
  return { keeper, lines, pids, ended: once(keeper, 'close') }
}

test('a program that is killed is started again, and stops when its keeper is asked to', async () => {
  const { keeper, lines, pids, ended } = keep('stays')
  await until('it is up', () => pids().length === 1)
  process.kill(pids()[0]!, 'SIGKILL')
  await until('it is up again', () => pids().length === 2)
  expect(lines[1]).toBe('The program ended by SIGKILL; it is started again.')
  keeper.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(pids().some(isAlive)).toBe(false)
})

test('a program that has no memory left is started again', async () => {
  const { lines, pids } = keep('swells', { more: [join(tempDir(), 'starts'), '0'] })
  await until('it is up again', () => pids().length === 2)
  expect(lines[1]).toBe('The program ended by SIGABRT; it is started again.')
})

test('a program has 1,536 MiB for its objects, or what whoever starts it has chosen', async () => {
  const limit = (memory: object) => {
    const { lines } = keep('shows', { memory })
    return until('it is up', () => lines.find((line) => line.startsWith('heap ')))
  }
  expect(await limit({})).toBe('heap 1536')
  expect(await limit(MEMORY)).toBe('heap 40')
})

test('a program stops when its keeper is killed', async () => {
  const { keeper, pids } = keep('stays')
  await until('it is up', () => pids().length === 1)
  keeper.kill('SIGKILL')
  await until('it is down', () => !isAlive(pids()[0]!))
})

test('a program that never got ready is not started again', async () => {
  const { lines, ended } = keep('fails')
  expect(await ended).toEqual([3, null])
  expect(lines).toEqual([])
})

test('a program that dies again and again is given up, by its own code', async () => {
  const { lines, pids, ended } = keep('dies')
  expect(await ended).toEqual([7, null])
  expect(pids()).toHaveLength(5)
  expect(lines.at(-1)).toBe('The program ended 5 times within a minute, now with code 7; it is not started again.')
})

test('a program that was up and does not get up for a while, as without its database, is tried until it does', async () => {
  const { lines, pids } = keep('stays', { more: [join(tempDir(), 'starts'), '8'] })
  await until('it is up again', () => pids().length === 2)
  expect(lines.filter((line) => line.includes('with code 3; it is started again'))).toHaveLength(8)
})

test('a program that does not get up again for too long is given up', async () => {
  const { lines, ended } = keep('stays', { patienceMs: 1, more: [join(tempDir(), 'starts'), '1000'] })
  expect(await ended).toEqual([3, null])
  expect(lines.at(-1)).toBe('The program did not get up again for 0 minutes, now with code 3; it is not started again.')
})

test('a keeper that is asked to stop while it waits to start the program again stops at once', async () => {
  const { keeper, lines, pids, ended } = keep('dies', { firstPauseMs: 3_600_000 })
  await until('it waits', () => lines.at(-1)?.endsWith('it is started again.'))
  keeper.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(pids()).toHaveLength(1)
})

test('a program that ends well has ended', async () => {
  const { pids, ended } = keep('stays')
  await until('it is up', () => pids().length === 1)
  process.kill(pids()[0]!, 'SIGTERM')
  expect(await ended).toEqual([0, null])
})
