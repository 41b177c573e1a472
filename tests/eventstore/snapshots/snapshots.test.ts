import { afterAll, beforeAll, expect, test } from 'vitest'
import { pairDecider } from '../../../domain/pair/decider.ts'
import { startLogServer } from '../../../eventstore/embedded/server.ts'
import { openLog } from '../../../eventstore/log.ts'
import { CommandIndex } from '../../../eventstore/snapshots/command-index.ts'
import { appTemplate } from '../../support/templates/app.ts'
import { as, type Rig, startRig } from '../rig.ts'
import { at, conversationOf, EVERY, message } from './conversation.ts'

const VERSION = pairDecider.snapshot!.version

let rig: Rig
beforeAll(async () => {
  rig = await startRig(appTemplate)
})
afterAll(async () => {
  await rig.server.stop()
  await rig.stop()
})

/** A conversation of so many messages with its snapshot. */
async function longOne(name: string, count = 12) {
  const pair = await conversationOf(rig, name)
  const writer = rig.process({ every: EVERY })
  const sent = await pair.write(writer, count)
  await writer.snapshots.settled()
  return { ...pair, sent, writer }
}

test('a long stream is folded from its snapshot, a short one has none', async () => {
  const short = await longOne('short', 1)
  expect(await short.row()).toBeUndefined()
  const { row, forge, nextNumber } = await longOne('long')
  expect(await row()).toMatchObject({ version: VERSION, revision: 14, state: { matched: true, messages: 12 } })
  await forge('')
  expect(await nextNumber()).toBe(1_001)
})

test('a snapshot that another version of the fold made is not used', async () => {
  const { row, forge, nextNumber } = await longOne('version')
  await forge(`, version = ${VERSION + 1}`)
  expect(await nextNumber()).toBe(13)
  expect(await row()).toMatchObject({ version: VERSION, state: { messages: 12 } })
  await forge(', version = 0')
  expect(await nextNumber()).toBe(14)
})

test('a snapshot of another log is not used', async () => {
  const { row, forge, nextNumber } = await longOne('log')
  await forge(`, log_id = 'another'`)
  expect(await nextNumber()).toBe(13)
  expect(await row()).toMatchObject({ log_id: await rig.log.id(), state: { messages: 12 } })
})

test('a snapshot that cannot be read is not used, and is gone', async () => {
  const { nextNumber, row, stream } = await longOne('broken')
  await rig.pool.query(`update app.snapshot set state = '{"messages": "many"}' where stream = $1`, [stream])
  expect(await nextNumber()).toBe(13)
  expect(await row()).toMatchObject({ state: { messages: 12 } })
})

test('a command of long ago is a repeat, in whichever process, and another one with its id is refused', async () => {
  const { sent, writer, stream } = await longOne('repeat', 30)
  const before = (await rig.log.read(stream)).length
  for (const process of [writer, rig.process({ every: EVERY }), rig.process({ every: EVERY, cacheWeight: 0 })]) {
    for (const { command, context } of [sent[0]!, sent[7]!, sent[29]!]) {
      const again = await process.dispatch(pairDecider, command, context)
      expect(again).toMatchObject({ ok: true, repeated: true, events: [{ text: command.text }] })
      expect(await process.isRepeat(pairDecider, command, context.commandId)).toBe(true)
      const { actor } = context
      for (const [wrote, isTheirs] of [
        [{ type: 'MessageSent', actor }, true],
        [{ type: 'Unmatched', actor }, false],
        [{ type: 'MessageSent', actor: command.to }, false],
      ] as const)
        expect(await process.isRepeat(pairDecider, command, context.commandId, wrote), wrote.type).toBe(isTheirs)
      const other = { ...command, text: 'other words' }
      expect(await process.dispatch(pairDecider, other, context)).toEqual({ ok: false, reason: 'reused' })
    }
  }
  expect((await rig.log.read(stream)).length).toBe(before)
})

test('a command whose id is taken for an older one is carried out', async () => {
  const { ann, bea, sent, stream, row } = await longOne('taken')
  const context = as(ann)
  const { revision } = (await row())!
  const mark = (at: number) => ({ revision: at, count: 1, commandHash: undefined })
  const ids = [...Array.from({ length: revision }, (_, at) => [`of ${at}`, mark(at)] as const)]
  const index = CommandIndex.EMPTY.upTo(revision + 1, new Map([...ids, [context.commandId, mark(revision)] as const]))
  expect(index.find(context.commandId)).toEqual([{ revision, count: 1 }])
  await rig.pool.query('update app.snapshot set commands = $2 where stream = $1', [stream, index.toBytes()])
  const cold = rig.process({ every: EVERY })
  const wanted = message(ann, bea, 'wanted')
  expect(await cold.isRepeat(pairDecider, wanted, context.commandId)).toBe(false)
  expect(await cold.dispatch(pairDecider, wanted, context)).toMatchObject({
    ok: true,
    repeated: false,
    events: [{ number: sent.length + 1 }],
  })
})

test('processes that write beside each other keep one row that fits, and lose and double nothing', async () => {
  const { ann, bea, stream, row, nextNumber } = await longOne('beside')
  const processes = [1, 2, 3].map(() => rig.process({ every: EVERY }))
  const sends = Array.from({ length: 60 }, (_, n) => {
    const [command, context] = [message(ann, bea, `at once ${n}`), as(ann)]
    return [processes[n % 3]!, processes[(n + 1) % 3]!].map((one) => one.dispatch(pairDecider, command, context))
  })
  const outcomes = await Promise.all(sends.flat())
  await Promise.all(processes.map(({ snapshots }) => snapshots.settled()))
  const stored = (await rig.log.read(stream)).filter(({ type }) => type === 'MessageSent')
  expect(stored.map(({ data }) => data.number)).toEqual(stored.map((_, at) => at + 1))
  const accepted = sends.filter((_, n) => outcomes[2 * n]!.ok || outcomes[2 * n + 1]!.ok).length
  expect(stored.length).toBe(12 + accepted)
  const { revision, state } = (await row())!
  expect(state.messages).toBe(revision - 2)
  expect(await nextNumber()).toBe(stored.length + 1)
})

/** Takes the log back to what it was at a revision of a stream, as a restore of an older copy does. */
async function setBack(stream: string, revision: number): Promise<void> {
  await rig.server.stop()
  const after = '(select position from log.event where stream = $1 and revision = $2)'
  await rig.logDatabase.run(`delete from log.event where position > ${after}`, [stream, revision])
  rig.server = await startLogServer({ database: rig.logDatabase.config, port: rig.server.port })
}

test('a snapshot ahead of a log that was set back is not used', async () => {
  const { stream, row, nextNumber } = await longOne('set back')
  await setBack(stream, 10)
  const log = openLog({ connectionString: rig.server.connectionString })
  expect(await log.id()).toBe((await row())?.log_id)
  await log.close()
  expect(await row()).toMatchObject({ revision: 14 })
  expect(await nextNumber()).toBe(9)
  expect(await row()).toMatchObject({ revision: 10, state: { messages: 8 } })
})

test('a snapshot is not used of a history that went another way, nor are its commands known', async () => {
  const { ann, bea, id, stream, row, sent, write, nextNumber } = await longOne('another way', 7)
  const block = { type: 'Block' as const, by: bea, target: ann, at }
  const blocking = as(bea)
  await rig.dispatch(pairDecider, block, blocking)
  await rig.pool.query('delete from app.snapshot where stream = $1', [stream])
  const process = rig.process({ every: EVERY })
  await process.loadState(pairDecider, id)
  await process.snapshots.settled()
  expect(await row()).toMatchObject({ revision: 10, state: { matched: false } })
  await rig.pool.query('create table before as select * from app.snapshot where stream = $1', [stream])
  await setBack(stream, 8)
  await write(rig.process(), 6)
  const putBack = async () => {
    await rig.pool.query('delete from app.snapshot where stream = $1', [stream])
    await rig.pool.query('insert into app.snapshot select * from before')
  }
  await putBack()
  expect(await nextNumber()).toBe(13)
  for (const { command, context } of [sent[6]!, { command: block, context: blocking }]) {
    await putBack()
    const cold = rig.process({ every: EVERY })
    expect(await cold.dispatch(pairDecider, command, context)).toMatchObject({ ok: true, repeated: false })
    await cold.snapshots.settled()
  }
})
