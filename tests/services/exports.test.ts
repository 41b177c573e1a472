import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { MemberId } from '../../domain/shared/ids.ts'
import { createExports } from '../../services/export/exports.ts'
import { createExportFiles } from '../../services/export/files.ts'
import { createExportWork, LEASE_MS } from '../../services/export/work.ts'
import { randomId } from '../../services/random-id.ts'
import { makeTempDir } from '../support/temp-folder.ts'
import { appDatabase, testClock } from './support/app.ts'

const app = appDatabase()

test('exports that are asked for while they are removed are all answered, and asking twice answers the same', async () => {
  const files = createExportFiles(makeTempDir('letsbuzz-exports-'))
  const [exports, ann] = [createExports({ db: app.db, now: testClock(), files }), randomId() as MemberId]
  const asked = Array.from({ length: 60 }, async (_, n) => {
    await (n % 2 ? exports.removeAll(ann) : exports.ask(ann))
  })
  expect((await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected')).toEqual([])
  expect(await exports.ask(ann)).toEqual(await exports.ask(ann))
})

test('exports are made anew for however many had to do with somebody', async () => {
  const files = createExportFiles(makeTempDir('letsbuzz-exports-'))
  const [now, ann] = [testClock(), randomId() as MemberId]
  const exports = createExports({ db: app.db, now, files })
  const { id } = await exports.ask(ann)
  const others = Array.from({ length: 70_000 }, () => randomId() as MemberId)
  expect(await exports.prepareAgain([...others, ann], new Date(now().getTime() + 1))).toBe(1)
  expect(await exports.findLatest(ann)).toMatchObject({ state: 'preparing', id: expect.not.stringMatching(id) })
})

/** An export that one process took and stood still with, so that another has it. */
async function takenOver() {
  const [now, folder] = [testClock(), makeTempDir('letsbuzz-exports-')]
  const files = createExportFiles(folder)
  const deps = { db: app.db, now, files }
  const [exports, work, ann] = [createExports(deps), createExportWork(deps), randomId() as MemberId]
  const { id } = await exports.ask(ann)
  const late = await work.take(id)
  now.pass(LEASE_MS)
  const next = await work.take(id)
  if (!late || !next) return expect.unreachable('It was due.')
  const stored = async () => {
    const opened = await exports.open(ann, id)
    return opened && [opened.bytes, await text(opened.body)]
  }
  return { work, late, next, stored, signal: new AbortController().signal }
}

test('who writes an export that another process has finished meanwhile changes nothing of it', async () => {
  const { work, late, next, stored, signal } = await takenOver()
  const bytes = new PassThrough()
  const storing = work.store(late, bytes, signal)
  bytes.write('of a moment before, and longer')
  expect(await work.progress(late, 1, 2)).toBe(false)
  expect(await work.store(next, Readable.from(['a copy']), signal)).toBe(true)
  bytes.end('than the other one')
  expect(await storing).toBe(false)
  expect(await stored()).toEqual([6, 'a copy'])
})

test.each(['failed', 'release'] as const)('a late %s leaves an export that another process has', async (ending) => {
  const { work, late, next, stored, signal } = await takenOver()
  await work[ending](late)
  expect(await work.progress(next, 1, 2)).toBe(true)
  expect(await work.store(next, Readable.from(['a copy']), signal)).toBe(true)
  await work[ending](late)
  expect(await stored()).toEqual([6, 'a copy'])
})

/** Two members, and how a copy of one of them is asked for and comes to be ready. */
async function twoMembers() {
  const [now, files] = [testClock(), createExportFiles(makeTempDir('letsbuzz-exports-'))]
  const deps = { db: app.db, now, files }
  const [exports, work] = [createExports(deps), createExportWork(deps)]
  const [ann, bea] = [randomId() as MemberId, randomId() as MemberId]
  const take = async (id: string) => (await work.take(id)) ?? expect.unreachable('It was due.')
  const finish = async (id: string) =>
    expect(await work.store(await take(id), Readable.from(['a copy']), new AbortController().signal)).toBe(true)
  const ready = async (member: MemberId) => {
    const { id } = await exports.ask(member)
    await finish(id)
    now.pass(1_000)
    return id
  }
  const opens = async (member: MemberId, id: string) => {
    const opened = await exports.open(member, id)
    return opened && text(opened.body)
  }
  const onDisk = async () => (await files.olderThan(new Date(Date.now() + 60_000))).sort()
  return { now, exports, work, files, ann, bea, take, finish, ready, opens, onDisk }
}

test('a copy takes the place of the one before once it is ready, and of nobody else’s', async () => {
  const { exports, ann, bea, finish, ready, opens, onDisk } = await twoMembers()
  const [first, others] = [await ready(ann), await ready(bea)]
  const { id } = await exports.ask(ann)
  expect(await opens(ann, first)).toBe('a copy')
  await finish(id)
  expect([await exports.find(ann, first), await opens(ann, first)]).toEqual([null, null])
  expect([await opens(ann, id), await opens(bea, others)]).toEqual(['a copy', 'a copy'])
  expect(await onDisk()).toEqual([id, others].sort())
})

test('one that is made anew for somebody’s erasure takes the place of one that was asked for since', async () => {
  const { now, exports, ann, finish, ready, onDisk } = await twoMembers()
  const first = await ready(ann)
  const erasedAt = now()
  now.pass(1_000)
  const { id: since } = await exports.ask(ann)
  await finish(since)
  expect(await exports.prepareAgain([ann], new Date(erasedAt.getTime() + 1))).toBe(0)
  expect([await exports.find(ann, first), await onDisk()]).toEqual([null, [since]])
  now.pass(1_000)
  expect(await exports.prepareAgain([ann], now())).toBe(1)
  const { id } = (await exports.findLatest(ann)) ?? expect.unreachable('It is made anew.')
  await finish(id)
  expect(await onDisk()).toEqual([id])
})

test('one that fails leaves the one before, and one that could not be removed is swept', async () => {
  const { now, exports, work, files, ann, take, finish, ready, opens, onDisk } = await twoMembers()
  const first = await ready(ann)
  const { id } = await exports.ask(ann)
  await work.failed(await take(id))
  expect(await opens(ann, first)).toBe('a copy')
  now.pass(LEASE_MS)
  const { remove } = files
  files.remove = () => Promise.reject(new Error('interrupted'))
  await finish(id)
  files.remove = remove
  expect(await onDisk()).toEqual([first, id].sort())
  await exports.sweep()
  expect([await exports.find(ann, first), await onDisk()]).toEqual([null, [id]])
})
