import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sniffFile } from '../../services/media/kinds.ts'
import type { Parsing } from '../../services/media/parse/parsing.ts'
import { hasSettled, waitsFor } from '../../services/media/parse/settled.ts'
import { sealDraft } from '../../services/media/sealed-draft.ts'
import { WORKER_LIMITS } from '../../services/media/workers/limits.ts'
import { startWorker } from '../../services/media/workers/worker.ts'
import { tempDir } from '../support/temp-dir.ts'
import { jpeg } from './support/pictures.ts'
import { isThere, withProc } from './support/processes.ts'

async function photo(bytes?: Buffer): Promise<Parsing> {
  const path = join(tempDir(), 'sent')
  writeFileSync(path, '')
  const draft = await sealDraft({ path })
  await draft.append(bytes ?? (await jpeg()))
  const file = await draft.end()
  const sniffed = await sniffFile(file)
  if (!sniffed) throw new Error('It is no picture.')
  return { file: file.sealed, still: null, sniffed, purpose: 'photo', to: null }
}

/** Whether this machine lets a process change what a session weighs: a container may have `/proc` for reading alone. */
function mayWeigh(): boolean {
  try {
    writeFileSync('/proc/self/autogroup', '0')
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN'
  }
}

function start() {
  const worker = startWorker(WORKER_LIMITS, () => undefined)
  onTestFinished(() => worker.kill())
  return worker
}

test('a worker that answered takes another file, and one that has ended since does not', async () => {
  const worker = start()
  const parsed = await worker.ask(await photo())
  expect(parsed).toMatchObject({ ok: true })
  expect(worker.isFit()).toBe(true)
  const spentMs = worker.spentMs()
  expect(spentMs).toBeGreaterThan(1)
  expect(spentMs).toBeLessThan(10_000)
  process.kill(worker.pid ?? 0, 'SIGKILL')
  await worker.ended
  expect(worker.isFit()).toBe(false)
})

test('a worker that refused broken pictures takes the next file', async () => {
  const worker = start()
  const whole = await jpeg()
  for (const share of [0.3, 0.5]) {
    expect(await worker.ask(await photo(whole.subarray(0, whole.length * share)))).toMatchObject({ ok: false })
    expect(worker.isFit()).toBe(true)
  }
  expect(await worker.ask(await photo(whole))).toMatchObject({ ok: true })
})

test('what a refused file left working, or waiting, is seen', async () => {
  const before = waitsFor()
  // More than the test itself may have begun or ended to wait for.
  const waits = Array.from({ length: 9 }, () => setInterval(() => undefined, 60_000))
  expect(await hasSettled(before)).toBe(false)
  let works = true
  const work = () => void (works && setImmediate(work))
  work()
  expect(await hasSettled(Number.POSITIVE_INFINITY)).toBe(false)
  works = false
  waits.forEach(clearInterval)
})

test('a worker gives way to who waits for a page', () => {
  expect(getPriority(start().pid)).toBeGreaterThan(getPriority())
})

withProc(() => {
  test('a worker leads a session of its own', async () => {
    const { pid } = start()
    // The fourth number behind the name in brackets.
    const session = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ')[3]
    expect(session).toBe(String(pid))
  })

  test('the session of a worker gives way to the main one, where sessions share a core and may be weighed', async () => {
    const worker = start()
    await worker.ask(await photo())
    const own = () => readFile(`/proc/${worker.pid}/autogroup`, 'utf8').catch(() => '')
    // A machine may share cores among sessions, among processes alone, or among those sessions that began on it.
    if (!(await own()) || !mayWeigh()) return
    // The whole machine may weigh ten sessions a second, whoever asks.
    for (let files = 1; files < 50 && !/nice 10$/m.test(await own()); files += 1) await worker.ask(await photo())
    expect(await own()).toMatch(/nice 10$/m)
  })

  test('a worker that ends unnoticed after its answer takes no other file', async () => {
    const worker = start()
    await worker.ask(await photo())
    const pid = worker.pid ?? 0
    process.kill(pid, 'SIGKILL')
    // Its end is not noted before something is waited for.
    while (isThere(pid));
    expect(worker.isFit()).toBe(false)
  })
})
