import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditDecider } from '../../../domain/audit/decider.ts'
import { pairDecider } from '../../../domain/pair/decider.ts'
import { profileDecider } from '../../../domain/profile/decider.ts'
import { createCodec } from '../../../eventstore/codec.ts'
import { createDispatch } from '../../../eventstore/dispatch.ts'
import { createSnapshots } from '../../../eventstore/snapshots/snapshots.ts'
import { appTemplate } from '../../support/templates/app.ts'
import { as, member, type Rig, startRig } from '../rig.ts'
import { at, conversationOf, EVERY, message } from './conversation.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig(appTemplate)
})
afterAll(() => rig.stop())

/** A process whose snapshots are in a table that is asked by `query`. */
function processAsking(query: (asked: unknown) => Promise<unknown>, onFailed?: (error: unknown) => void) {
  const { keys, codec, log } = { ...rig.process(), log: rig.log }
  const snapshots = createSnapshots({ pool: { query } as unknown as pg.Pool, log, every: EVERY, onFailed })
  return { snapshots, ...createDispatch({ log, codec, keys, snapshots, cacheWeight: 0 }) }
}

test('nobody waits for a snapshot to be written', async () => {
  const pair = await conversationOf(rig, 'waiting')
  let release = () => {}
  const never = new Promise<void>((resolve) => {
    release = resolve
  })
  let written = 0
  const process = processAsking(async (asked) => {
    if ((asked as { name: string }).name === 'find-snapshot') return { rows: [] }
    written++
    await never
    return { rows: [] }
  })
  await pair.write(process, 12)
  expect((await rig.log.read(pair.stream)).length).toBe(15)
  release()
  await process.snapshots.settled()
  expect(written).toBeGreaterThan(0)
})

test('where snapshots cannot be read or written, commands are carried out all the same, and it is reported', async () => {
  const pair = await conversationOf(rig, 'failing')
  const failures: unknown[] = []
  const process = processAsking(
    () => Promise.reject(new Error('no table')),
    (error) => failures.push(error),
  )
  const [first] = await pair.write(process, 12)
  expect(await process.dispatch(pairDecider, first!.command, first!.context)).toMatchObject({ repeated: true })
  await process.snapshots.settled()
  expect((await rig.log.read(pair.stream)).length).toBe(15)
  expect(failures.length).toBeGreaterThan(0)
})

test('a process that ends gives up what it has not begun to write', async () => {
  const pair = await conversationOf(rig, 'ending')
  const process = rig.process({ every: EVERY })
  await pair.write(process, 1)
  await pair.write(process, 1)
  const closed = process.snapshots.close()
  await pair.write(process, 12)
  await closed
  await process.snapshots.settled()
  expect(await pair.row()).toBeUndefined()
})

test('no snapshot is written of a stream of somebody whose key is destroyed', async () => {
  const pair = await conversationOf(rig, 'erased')
  const process = rig.process({ every: EVERY })
  await pair.write(process, 12)
  await process.snapshots.settled()
  expect(await pair.row()).toBeDefined()
  await rig.pool.query('delete from app.snapshot where stream = $1', [pair.stream])
  await rig.process().keys.destroy(pair.bea)
  await pair.write(process, 12)
  await rig.process({ every: EVERY }).loadState(pairDecider, pair.id)
  await process.snapshots.settled()
  expect(await pair.row()).toBeUndefined()
})

test('an erasure waits for a snapshot that is being written, or this sees it', async () => {
  const pair = await conversationOf(rig, 'racing')
  const client = await rig.pool.connect()
  try {
    await client.query('begin')
    await client.query(`select from app.subject_key where subject = $1 for update`, [pair.ann])
    const process = rig.process({ every: EVERY })
    await pair.write(process, 12)
    await client.query(`update app.subject_key set wrapped = '' where subject = $1`, [pair.ann])
    await client.query('commit')
    await process.snapshots.settled()
    expect(await pair.row()).toBeUndefined()
  } finally {
    client.release()
  }
})

/** Has no key of anybody, and does not look for one. */
function withoutKeys() {
  const { keys } = rig.process()
  const none: typeof keys = { ...keys, load: () => Promise.reject(new Error('a key was asked for')), onForget() {} }
  return createDispatch({ log: rig.log, codec: createCodec(none), keys: none })
}

test('the state of a pair is folded without opening the words of its messages', async () => {
  const pair = await conversationOf(rig, 'sealed')
  await pair.write(rig, 3)
  const whole = await rig.loadState(pairDecider, pair.id)
  expect(whole).toMatchObject({ matched: true, messages: 3 })
  expect(await withoutKeys().loadState(pairDecider, pair.id)).toEqual(whole)
  const ann = member('profile ann')
  const start = { type: 'NameChanged', member: ann, firstName: 'Ann', lastName: 'A', at } as const
  const meta = { commandId: 'c', correlationId: 'c', causationId: 'c', actor: ann }
  const [stored] = await rig.codec.encode(`profile-${ann}`, [start], ['3f0d0a52-5d0e-4b3c-8f6a-0f8a54b1c001'], meta)
  await rig.log.append(`profile-${ann}`, 'no_stream', [stored!])
  await expect(withoutKeys().loadState(profileDecider, ann)).rejects.toThrow('a key was asked for')
})

test('what the fold ignores is not decoded, and its commands are known all the same', async () => {
  const auditor = member('auditor')
  const view = { type: 'ViewAccount' as const, auditor, member: member('seen'), view: 'timeline' as const, at }
  const context = as(auditor)
  await rig.dispatch(auditDecider, view, context)
  const [stored] = await rig.log.read(`audit-${auditor}`)
  const unreadable = { ...stored!, id: '3f0d0a52-5d0e-4b3c-8f6a-0f8a54b1c002', data: { broken: true } }
  const metadata = { ...unreadable.metadata, commandId: 'of the broken one' }
  await rig.log.append(`audit-${auditor}`, 0, [{ ...unreadable, metadata }])
  const process = rig.process()
  expect(await process.loadState(auditDecider, auditor)).toEqual({ revealed: {} })
  expect(await process.isRepeat(auditDecider, view, 'of the broken one')).toBe(true)
  expect(await process.dispatch(auditDecider, view, context)).toMatchObject({ ok: true, repeated: true })
})

test('messages that are written while others are read get each its number', async () => {
  const pair = await conversationOf(rig, 'reading')
  const process = rig.process({ every: EVERY })
  const sent = await pair.write(process, 7)
  const loads = () => Array.from({ length: 4 }, () => process.loadState(pairDecider, pair.id))
  const more = Array.from({ length: 20 }, (_, n) => {
    const one = { command: message(pair.ann, pair.bea, `more ${n}`), context: as(pair.ann) }
    return { one, done: Promise.all([process.dispatch(pairDecider, one.command, one.context), ...loads()]) }
  })
  for (const { done } of more) await done
  for (const { command, context } of [...sent, ...more.map(({ one }) => one)]) {
    const again = await process.dispatch(pairDecider, command, context)
    expect(again).toMatchObject({ repeated: true, events: [{ text: command.text }] })
    expect(again.ok && again.events.length).toBe(1)
  }
})
