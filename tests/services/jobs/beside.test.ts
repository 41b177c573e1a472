import { afterEach, beforeEach, expect, test } from 'vitest'
import { createJobWorker } from '../../../reactors/work-jobs.ts'
import { longBy } from '../../../server/jobs.ts'
import { openAppDb } from '../../../services/app-db.ts'
import { addJob } from '../../../services/jobs/add-job.ts'
import { ended } from '../../../services/jobs/killed.ts'
import { JOBS, type JobKind } from '../../../services/jobs/kinds.ts'
import type { JobHandlers } from '../../../services/jobs/worker.ts'
import { createLogger } from '../../../services/log.ts'
import { until } from '../../support/until.ts'
import { type JobRig, startJobRig } from './rig.ts'

const MANY = Array.from({ length: 40 }, (_, n) => `copy${n}`)
let rig: JobRig
let db: ReturnType<typeof openAppDb>
let under: string[]
let over: AbortController
let worker: ReturnType<typeof createJobWorker>

/** Each is under way until all are over. */
const stays = (kind: JobKind) => async (ids: Readonly<Record<string, string>>) => {
  under.push([kind, ...Object.values(ids)].join(' '))
  await ended(over.signal)
  return null
}
const kinds = Object.keys(JOBS) as JobKind[]
beforeEach(async () => {
  rig = await startJobRig()
  db = openAppDb(rig.config)
  under = []
  over = new AbortController()
  worker = createJobWorker({
    database: rig.config,
    kinds: JOBS,
    handlers: Object.fromEntries(kinds.map((kind) => [kind, stays(kind)])) as unknown as JobHandlers<typeof JOBS>,
    long: longBy({ mails: (reactor) => reactor.startsWith('mail-when-') }),
    recurring: {},
    logger: createLogger({ level: 'silent' }),
    pollMs: 50,
  })
})
afterEach(async () => {
  over.abort()
  await worker.stop()
  await db.destroy()
  await rig.stop()
})

test('copies of several members are made beside each other, and leave a place to what is short', async () => {
  for (const id of ['a', 'b', 'c']) await addJob(db, 'export', { export: id })
  worker.start()
  await until('two are made', () => under.length === 2)
  await addJob(db, 'react', { reactor: 'mail' })
  await until('there is a place', () => under.includes('react mail'))
  expect(under.filter((one) => one.startsWith('export'))).toHaveLength(2)
  over.abort()
  await until('all were made', async () => (await rig.jobs()).length === 0)
  expect(under.toSorted()).toEqual(['export a', 'export b', 'export c', 'react mail'])
})

test.each(['derive', 'sweep'] as const)(
  'beside many copies that wait, %s has a place, and so has what is short',
  async (kind) => {
    for (const id of MANY) await addJob(db, 'export', { export: id })
    await addJob(db, kind, {})
    worker.start()
    await until('it has a place', () => under.includes(kind))
    await addJob(db, 'react', { reactor: 'mail' })
    await until('there is a place', () => under.includes('react mail'))
    expect(under.filter((one) => one.startsWith('export'))).toHaveLength(2)
  },
)

test('beside two copies and a sweep the smaller forms wait, and what is short has a place', async () => {
  for (const id of ['a', 'b']) await addJob(db, 'export', { export: id })
  await addJob(db, 'sweep', {})
  worker.start()
  await until('three are made', () => under.length === 3)
  await addJob(db, 'derive', {})
  await until(
    'it was looked at',
    async () => (await rig.jobs()).some(({ in_s }) => in_s > 0) || under.includes('derive'),
  )
  await addJob(db, 'react', { reactor: 'mail' })
  await until('there is a place', () => under.includes('react mail'))
  expect(under.toSorted()).toEqual(['export a', 'export b', 'react mail', 'sweep'])
})

test('copies that wait for a place are looked at one after the other, however many they are', async () => {
  for (const id of MANY) await addJob(db, 'export', { export: id })
  worker.start()
  const times = await until('all others wait', async () => {
    const waiting = (await rig.jobs()).filter(({ locked_at }) => !locked_at).map(({ in_s }) => in_s as number)
    return waiting.length === MANY.length - 2 && Math.min(...waiting) > 0 && waiting
  })
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(times.length / 5)
})

test('commands that the log is owed are sent beside each other', async () => {
  for (const id of ['a', 'b', 'c']) await addJob(db, 'send-owed', { command: id })
  worker.start()
  await until('all are sent', () => under.length === 3)
})

test('while the mail server says nothing, other jobs have places, however many mails wait', async () => {
  for (const n of [1, 2, 3, 4]) await addJob(db, 'react', { reactor: `mail-when-${n}` })
  worker.start()
  await until('two wait for the server', () => under.length === 2)
  await addJob(db, 'export', { export: 'a' })
  await until('a copy has a place', () => under.includes('export a'))
  await addJob(db, 'react', { reactor: 'finish-erasure' })
  await until('an erasure has a place', () => under.includes('react finish-erasure'))
  expect(under.filter((one) => one.startsWith('react mail'))).toHaveLength(2)
})
