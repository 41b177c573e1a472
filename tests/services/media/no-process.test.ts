import { expect, test } from 'vitest'
import type { Parsing } from '../../../services/media/parse/parsing.ts'
import type { EndedBy, MediaWorker } from '../../../services/media/workers/worker.ts'
import { createMediaWorkers } from '../../../services/media/workers/workers.ts'
import { openable } from '../../support/servers/openable.ts'
import { until } from '../../support/until.ts'

const BUSY = { ok: false, reason: 'busy' }
const UNSUPPORTED = { ok: false, reason: 'unsupported' } as const
const parsing = { file: { size: 1_000 } } as Parsing

const outOfMemory = (): never => {
  throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' })
}

/** A process that answers once it may; without an id, the system has refused it. */
const processOf = (pid: number | undefined, answers = Promise.resolve()): MediaWorker => ({
  pid,
  ended: pid === undefined ? Promise.resolve() : new Promise(() => undefined),
  ask: async () => {
    await answers
    return UNSUPPORTED
  },
  isFit: () => true,
  spentMs: () => undefined,
  kill: () => undefined,
})

/** Workers whose processes start in these ways, one after the other. */
function workersOf(...starts: readonly (() => MediaWorker)[]) {
  const left = [...starts]
  const ended: EndedBy[] = []
  const workers = createMediaWorkers({
    workers: 1,
    deadlineMs: 40,
    onEnded: (by) => ended.push(by),
    startWith: () => (left.shift() ?? outOfMemory)(),
  })
  return { workers, ended }
}

test.each([
  ['throws', outOfMemory],
  ['leaves the process without an id', () => processOf(undefined)],
])('a file for which the system starts no process, and %s, is asked to come again', async (_how, start) => {
  const { workers, ended } = workersOf(start, () => processOf(1))
  expect(await workers.parse('ann', parsing)).toEqual(BUSY)
  expect(ended).toEqual(['start'])
  expect(await workers.parse('ann', parsing)).toEqual(UNSUPPORTED)
})

test('where none starts beside a file that takes long, that file is answered and the product lives', async () => {
  const gate = openable()
  const uncaught: unknown[] = []
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', (error) => uncaught.push(error))
  try {
    const { workers, ended } = workersOf(() => processOf(1, gate.opened), outOfMemory)
    const answer = workers.parse('ann', parsing)
    await until('the next has been tried', () => ended.length + uncaught.length > 0)
    gate.open()
    expect([await answer, ended, uncaught]).toEqual([UNSUPPORTED, ['start'], []])
  } finally {
    process.removeAllListeners('uncaughtException')
    for (const listener of listeners) process.on('uncaughtException', listener)
  }
})
