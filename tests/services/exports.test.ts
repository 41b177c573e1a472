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
