import { expect, test } from 'vitest'
import { WORKER_LIMITS } from '../../../services/media/workers/limits.ts'
import { until } from '../../support/until.ts'
import { delivered, startLinked } from './linked.ts'

test('what a file spent at one worker counts at every one, however short it took', async () => {
  const { worker } = startLinked()
  const [one, two] = [worker(), worker()]
  await one.mediaTurns.inTurn('mallory', async () => undefined, { spentMs: () => 9_000 })
  await delivered(one)
  const begun: { name: string; end: () => void }[] = []
  const task = (name: string) => () => new Promise<void>((end) => void begun.push({ name, end }))
  for (let n = 0; n < WORKER_LIMITS.workers; n++) void one.mediaTurns.inTurn(`sender ${n}`, task(`file ${n}`))
  await until('those have begun', () => begun.length === WORKER_LIMITS.workers)
  for (const uploader of ['mallory', 'another']) void two.mediaTurns.inTurn(uploader, task(uploader))
  await delivered(two)
  begun[0]!.end()
  await until('the next has begun', () => begun.length > WORKER_LIMITS.workers)
  expect(begun.at(-1)!.name).toBe('another')
})
