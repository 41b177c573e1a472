import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { WorkerLimits } from '../../services/media/workers/limits.ts'
import type { EndedBy } from '../../services/media/workers/worker.ts'
import { createMediaWorkers } from '../../services/media/workers/workers.ts'
import { randomId } from '../../services/random-id.ts'
import { bundled } from '../support/programs/bundled.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { appDatabase } from './support/app.ts'
import { makeClip } from './support/clips.ts'
import { ENDLESS, endlessClip, largeClip } from './support/endless.ts'
import { fullChunks, hugeTable, repeatingVoice, timelessVoice } from './support/hostile-clips.ts'
import { lacedWebm } from './support/hostile-webm.ts'
import { mediaIn } from './support/media.ts'
import { jpeg } from './support/pictures.ts'
import { isThere, ticksOf, withProc } from './support/processes.ts'

const app = appDatabase()
const FAILED = { ok: false, reason: 'upload-failed' }
const BUSY = { ok: false, reason: 'busy' }
const MIB = 1024 * 1024
const PARENT = join(import.meta.dirname, 'support/media-parent.ts')
/** Of a second on a processor: a parser that pauses between its steps would have ended by then. */
const PARSING_TICKS = 100
/** No file of a test comes so far. */
const NEVER = 600_000

/** A store with workers of its own; `ended` is why each was ended in the middle of a file. */
function start(limits: Partial<WorkerLimits> = {}) {
  const ended: EndedBy[] = []
  const workers = createMediaWorkers({ program: ENDLESS, ...limits, onEnded: (by) => ended.push(by) })
  onTestFinished(() => workers.stop())
  const { media } = mediaIn(tempDir(), app, workers)
  const member = () => {
    const owner = { member: randomId() as MemberId }
    return (file: Uint8Array) => media.upload({ owner, purpose: 'chat', file })
  }
  return { workers, media, ended, ann: member(), bea: member(), mallory: member() }
}
const onlyPid = (workers: { pids(): number[] }) => until('a worker', async () => workers.pids()[0])

test('a table that promises more than the file has is refused before it is read', async () => {
  const { ended, mallory } = start({ deadlineMs: NEVER, memoryBytes: 256 * MIB })
  for (const name of ['stts', 'stsc', 'stsz', 'trun'] as const) {
    expect(await mallory(await hugeTable(name)), name).toEqual(FAILED)
  }
  expect(await mallory(await fullChunks())).toEqual(FAILED)
  expect(ended).toEqual([])
})

test('a clip of more packets than a minute has is refused, however short it says it is', async () => {
  const { ended, mallory } = start()
  expect(await mallory(timelessVoice(1_000_000))).toEqual(FAILED)
  expect(await mallory(lacedWebm(1000))).toEqual(FAILED)
  expect(ended).toEqual([])
})

test('a clip whose samples are the same bytes again and again is refused before it fills the disk', async () => {
  const { ended, mallory } = start()
  expect(await mallory(repeatingVoice(400, 100_000))).toEqual(FAILED)
  expect(await mallory(repeatingVoice(40, 10_000))).toMatchObject({ ok: true })
  expect(ended).toEqual([])
})

test('a worker that is killed in a file refuses that file alone', async () => {
  const { workers, ended, ann } = start({ deadlineMs: NEVER })
  const cut = ann(endlessClip())
  process.kill(await onlyPid(workers), 'SIGKILL')
  expect(await cut).toEqual(FAILED)
  expect(ended).toEqual(['crash'])
  expect(await ann(await jpeg())).toMatchObject({ ok: true })
})

test('an uploader has one file under way, whatever others there are, and stopping ends it', async () => {
  const { workers, media, ann, bea, mallory } = start({ workers: 2, deadlineMs: NEVER, waitMs: NEVER })
  const hostile = [1, 2, 3].map(() => mallory(endlessClip()))
  const photo = await jpeg()
  for (const upload of [ann(photo), bea(photo)]) expect(await upload).toMatchObject({ ok: true })
  await media.stop()
  expect(workers.pids()).toEqual([])
  const reasons = (await Promise.all(hostile)).map((answer) => !answer.ok && answer.reason)
  expect(reasons.sort()).toEqual(['busy', 'busy', 'upload-failed'])
  expect(await ann(photo)).toEqual(BUSY)
})

test('visitors of one network have one file under way, however many proofs they have', async () => {
  const { workers, media, ann } = start({ workers: 2, deadlineMs: NEVER, waitMs: NEVER })
  const file = endlessClip()
  const visitor = () => ({ proof: randomId(), network: '192.0.2.1' })
  const hostile = [1, 2, 3].map(() => media.upload({ owner: visitor(), purpose: 'photo', file }))
  await onlyPid(workers)
  expect(await ann(await jpeg())).toMatchObject({ ok: true })
  await media.stop()
  expect((await Promise.all(hostile)).every(({ ok }) => !ok)).toBe(true)
})

test('an upload that waits too long behind others is asked to come again', async () => {
  const { workers, ann, mallory, media } = start({ workers: 1, deadlineMs: NEVER, waitMs: 200 })
  const hostile = mallory(endlessClip())
  await onlyPid(workers)
  expect(await ann(await jpeg())).toEqual(BUSY)
  await media.stop()
  expect(await hostile).toEqual(FAILED)
})

test('beside a file that has taken half its time the process for the next one starts', async () => {
  const { workers, ended, ann, mallory } = start({ workers: 1, deadlineMs: 3_000 })
  const hostile = mallory(endlessClip())
  const first = await onlyPid(workers)
  await until('a second process', () => workers.pids().length === 2)
  expect(ended).toEqual([])
  const next = workers.pids().filter((pid) => pid !== first)
  expect(await hostile).toEqual(FAILED)
  expect(await ann(await jpeg())).toMatchObject({ ok: true })
  expect(workers.pids()).toEqual(next)
})

test('a worker ends when nothing comes', async () => {
  const { workers, ann } = start({ idleMs: 1 })
  expect(await ann(await jpeg())).toMatchObject({ ok: true })
  await until('no worker', () => workers.pids().length === 0)
  expect(await ann(await jpeg())).toMatchObject({ ok: true })
})

withProc(() => {
  test('a clip that no parser comes to the end of is refused by its deadline, and others upload meanwhile', async () => {
    const { workers, ended, ann, bea, mallory } = start({ workers: 2, deadlineMs: 10_000 })
    const photo = await jpeg()
    // A worker, which gives way to everything else, needs a moment for a photo or a short clip: far less than the deadline.
    for (const answer of await Promise.all([ann(photo), bea(photo)])) expect(answer).toMatchObject({ ok: true })
    const pids = workers.pids()
    const hostile = mallory(endlessClip())
    expect(await ann(photo)).toMatchObject({ ok: true })
    expect([ended, pids.filter(isThere)]).toEqual([[], pids])
    expect(await hostile).toEqual(FAILED)
    expect(ended).toEqual(['deadline'])
    expect(pids.filter(isThere)).toHaveLength(1)
    expect(await mallory(await makeClip({ format: 'webm', seconds: 1 }))).toMatchObject({ ok: true })
  })

  test('a clip that takes more memory than a file may is refused, and the next is taken', async () => {
    const { ended, mallory } = start({ deadlineMs: NEVER, memoryBytes: 180 * MIB })
    expect(await mallory(largeClip())).toEqual(FAILED)
    expect(ended).toEqual(['memory'])
    expect(await mallory(await makeClip({ format: 'mp4', seconds: 1 }))).toMatchObject({ ok: true })
  })

  test('a worker knows none of the secrets of its parent', async () => {
    process.env.CANARY_SECRET = 'CANARY-of-the-parent'
    onTestFinished(() => void delete process.env.CANARY_SECRET)
    const { workers, ann } = start({ deadlineMs: NEVER })
    void ann(endlessClip())
    const pid = await onlyPid(workers)
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
    expect(environment).toContain('NODE_ENV=production')
    expect(environment).not.toContain('CANARY')
  })

  test('a worker that never pauses ends with its parent, also with one that is killed', async () => {
    const folder = tempDir()
    const parent = spawn(process.execPath, [bundled(PARENT), folder], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void parent.kill('SIGKILL'))
    const pid = Number(String((await once(parent.stdout, 'data'))[0]))
    const begun = ticksOf(pid)
    await until('it parses', () => ticksOf(pid) > begun + PARSING_TICKS, 60_000)
    parent.kill('SIGKILL')
    await until('no worker', () => !isThere(pid))
  })
})
