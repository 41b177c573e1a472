import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pairDecider } from '../../domain/pair/decider.ts'
import { type MemberId, MessageId, pairIdOf } from '../../domain/shared/ids.ts'
import { createDispatch } from '../../eventstore/dispatch.ts'
import { as, member, type Rig, startRig } from './rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.stop())

const at = new Date('2030-01-01T12:00:00Z')
const buzz = (from: MemberId, to: MemberId) => ({ type: 'Buzz' as const, from, to, via: 'discover' as const, at })
const message = (from: MemberId, to: MemberId, text: string, id: string = randomUUID()) => ({
  type: 'SendMessage' as const,
  message: MessageId.parse(id),
  from,
  to,
  text,
  media: null,
  at,
})
const typesIn = async (a: MemberId, b: MemberId) =>
  (await rig.log.read(`pair-${pairIdOf(a, b)}`)).map((event) => event.type)

async function matched(name: string): Promise<[MemberId, MemberId]> {
  const [ann, bea] = [member(`${name} ann`), member(`${name} bea`)]
  await rig.dispatch(pairDecider, buzz(ann, bea), as(ann))
  await rig.dispatch(pairDecider, buzz(bea, ann), as(bea))
  return [ann, bea]
}

test('two who buzz in the same instant become one match, however often each is sent', async () => {
  const pairs = Array.from({ length: 50 }, (_, i) => [member(`a${i}`), member(`b${i}`)] as const)
  const sends = pairs.flatMap(([a, b]) => {
    const [mine, theirs] = [as(a), as(b)]
    return [mine, mine, theirs, theirs].map((context) =>
      rig.dispatch(pairDecider, context === mine ? buzz(a, b) : buzz(b, a), context),
    )
  })
  const outcomes = await Promise.all(sends)
  expect(outcomes.filter((outcome) => !outcome.ok)).toEqual([])
  for (const [a, b] of pairs) expect(await typesIn(a, b)).toEqual(['Buzzed', 'Buzzed', 'Matched'])
})

test('two processes that race on one stream lose no message and double none', async () => {
  const [ann, bea] = await matched('race')
  const processes = [rig.process(), rig.process(), rig.process()]
  const sends = Array.from({ length: 60 }, (_, i) =>
    processes[i % 3]!.dispatch(pairDecider, message(ann, bea, `number ${i}`), as(ann)),
  )
  const outcomes = await Promise.all(sends)
  const accepted = outcomes.filter((outcome) => outcome.ok).length
  const stored = (await rig.log.read(`pair-${pairIdOf(ann, bea)}`)).filter((event) => event.type === 'MessageSent')
  expect(stored.length).toBe(accepted)
  expect(stored.map((event) => event.data.number)).toEqual(stored.map((_, i) => i + 1))
  expect(outcomes.filter((outcome) => !outcome.ok && outcome.reason !== 'conflict')).toEqual([])
})

test('a repeated command reads the events of its own and no other', async () => {
  const [ann, bea] = await matched('limits')
  const [context, sent] = [as(ann), message(ann, bea, 'hello')]
  for (const words of [sent, ...['one', 'two', 'three'].map((text) => message(ann, bea, text))])
    await rig.dispatch(pairDecider, words, words === sent ? context : as(ann))
  const asked: unknown[] = []
  const read: typeof rig.log.read = (...args) => {
    asked.push(args)
    return rig.log.read(...args)
  }
  const { codec, keys } = rig
  const dispatch = createDispatch({ log: { ...rig.log, read }, codec, keys }).dispatch
  expect(await dispatch(pairDecider, sent, context)).toMatchObject({ ok: true, repeated: true })
  // After those for the state.
  expect(asked[asked.length - 1]).toEqual([`pair-${pairIdOf(ann, bea)}`, 3, undefined, 1])
})

test('a repeated command answers its first outcome, also after others wrote and in another process', async () => {
  const [ann, bea] = await matched('repeat')
  const context = as(ann)
  const sent = message(ann, bea, 'hello')
  const first = await rig.dispatch(pairDecider, sent, context)
  await rig.dispatch(pairDecider, message(bea, ann, 'hi'), as(bea))
  const again = await rig.dispatch(pairDecider, sent, context)
  const elsewhere = await rig.process().dispatch(pairDecider, { ...sent, at: new Date() }, context)
  expect(again).toMatchObject({ ok: true, repeated: true, position: first.ok && first.position })
  expect(elsewhere).toMatchObject({
    ok: true,
    repeated: true,
    events: [{ type: 'MessageSent', text: 'hello', number: 1 }],
  })
})

test('of one command that two processes send at once, each answers what is stored, or that its content is another', async () => {
  const [ann, bea] = await matched('at once')
  for (let round = 0; round < 20; round++) {
    const [id, command] = [randomUUID(), as(ann)]
    const sends = [1, 2, 3, 4].map((second) => {
      const sent = { ...message(ann, bea, second > 3 ? 'Another.' : 'Hello!', id), at: new Date(at.getTime() + second) }
      return rig.process().dispatch(pairDecider, sent, command)
    })
    const outcomes = await Promise.all(sends)
    const ended = outcomes.map((one) =>
      one.ok ? one.events.map((event) => [event.type, event.at.getTime()]) : one.reason,
    )
    const [stored] = (await rig.log.read(`pair-${pairIdOf(ann, bea)}`)).slice(-1)
    const [first] = outcomes.filter((one) => one.ok && !one.repeated)
    if (!first?.ok) throw new Error('None of them wrote it.')
    const written = [['MessageSent', first.events[0]!.at.getTime()]]
    expect(outcomes.filter((one) => one.ok && !one.repeated)).toHaveLength(1)
    expect(new Date(stored!.data.at as string).getTime()).toBe(written[0]![1])
    expect(ended.every((one) => one === 'reused' || JSON.stringify(one) === JSON.stringify(written))).toBe(true)
  }
})

test('loads of a stream beside each other do not lend a command the events of others', async () => {
  const [ann, bea] = await matched('loads')
  const reader = rig.process()
  const load = () => reader.loadState(pairDecider, pairIdOf(ann, bea))
  await load()
  const [context, sent] = [as(ann), message(ann, bea, 'mine')]
  await rig.dispatch(pairDecider, sent, context)
  await rig.dispatch(pairDecider, message(ann, bea, 'another'), as(ann))
  await Promise.all([load(), load(), load()])
  const again = await reader.dispatch(pairDecider, sent, context)
  expect(again.ok && again.events.map((event) => 'text' in event && event.text)).toEqual(['mine'])
})

test('a command id that comes back with other content is refused', async () => {
  const [ann, bea] = await matched('reuse')
  const context = as(ann)
  await rig.dispatch(pairDecider, message(ann, bea, 'hello'), context)
  expect(await rig.dispatch(pairDecider, message(ann, bea, 'something else'), context)).toEqual({
    ok: false,
    reason: 'reused',
  })
})

test('a refusal is decided on the stream as it stands, not on what this process remembers', async () => {
  const [ann, bea] = [member('stale ann'), member('stale bea')]
  const other = rig.process()
  await rig.dispatch(pairDecider, buzz(ann, bea), as(ann))
  expect(await rig.dispatch(pairDecider, message(ann, bea, 'too early'), as(ann))).toMatchObject({
    reason: 'not-matched',
  })
  await other.dispatch(pairDecider, buzz(bea, ann), as(bea))
  expect(await rig.dispatch(pairDecider, message(ann, bea, 'now'), as(ann))).toMatchObject({ ok: true })
})

test('a message whose sender is erased while it is sealed is a conflict, and no failure', async () => {
  const [ann, bea] = await matched('erased')
  const context = { ...as(ann), unlessErased: true }
  const { codec, keys, log } = rig
  const encode: typeof codec.encode = async (...asked) => {
    await keys.destroy(ann)
    return codec.encode(...asked)
  }
  const loads: string[] = []
  const pages: typeof log.pages = (stream, ...asked) => {
    loads.push(stream)
    return log.pages(stream, ...asked)
  }
  const { dispatch } = createDispatch({ log: { ...log, pages }, keys, codec: { ...codec, encode } })
  expect(await dispatch(pairDecider, message(ann, bea, 'hello'), context)).toEqual({ ok: false, reason: 'conflict' })
  // Whoever is erased stays so: nobody behind it on the stream waits for another try.
  expect(loads).toHaveLength(1)
})

test('a command that changes nothing appends nothing and answers where the stream stands', async () => {
  const [ann, bea] = await matched('quiet')
  const block = { type: 'Block' as const, by: ann, target: bea, at }
  const first = await rig.dispatch(pairDecider, block, as(ann))
  const second = await rig.dispatch(pairDecider, block, as(ann))
  expect(second).toEqual({ ok: true, events: [], repeated: false, position: first.ok && first.position })
  expect(await typesIn(ann, bea)).toEqual(['Buzzed', 'Buzzed', 'Matched', 'Blocked'])
})

test('every event carries who, which command and why', async () => {
  const [ann, bea] = [member('meta ann'), member('meta bea')]
  const context = { ...as(ann), correlationId: 'correlation', causationId: 'cause' }
  await rig.dispatch(pairDecider, buzz(ann, bea), context)
  const [stored] = await rig.codec.decode(await rig.log.read(`pair-${pairIdOf(ann, bea)}`))
  expect(stored?.meta).toMatchObject({ ...context, actor: ann })
})
