import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EventNamed } from '../../domain/all-events.ts'
import { pairDecider } from '../../domain/pair/decider.ts'
import { type MessageId, pairIdOf } from '../../domain/shared/ids.ts'
import { createCodec, TooNewEvent } from '../../eventstore/codec.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { BETWEEN, fromLater, LATER, NEXT_VERSION } from './later-release.ts'
import { as, member, type Rig, startRig } from './rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.stop())

const [ann, bea] = [member('Ann'), member('Bea')]
const stream = `pair-${pairIdOf(ann, bea)}`
const at = new Date('2026-03-01T12:00:00Z')
const message = {
  type: 'MessageSent',
  message: 'm1' as MessageId,
  number: 1,
  from: ann,
  to: bea,
  text: 'Hi',
  media: null,
  at,
}
const meta = { commandId: uuidFrom('c'), correlationId: 'c', causationId: 'c', actor: 'system' }

/** As a release writes it and the log gives it back. */
async function stored(release: typeof LATER, more: object = {}) {
  const codec = createCodec(rig.keys, release)
  const [event] = await codec.encode(
    stream,
    [{ ...message, ...more } as EventNamed<'MessageSent'>],
    [uuidFrom('e')],
    meta,
  )
  return { ...event!, stream, revision: 0, position: '1', recordedAt: at } as never
}

test('an event that a later release wrote is no broken one', async () => {
  const newer = await stored(LATER, { mood: 'merry' })
  await expect(rig.codec.decode([newer])).rejects.toThrow(TooNewEvent)
  const unknown = { ...fromLater('Waved'), stream, revision: 0, position: '1', recordedAt: at } as never
  await expect(rig.codec.decode([unknown])).rejects.toThrow(TooNewEvent)
  const broken = { ...(newer as object), metadata: { ...meta, schema: 0 } } as never
  await expect(rig.codec.decode([broken])).rejects.not.toThrow(TooNewEvent)
  expect(await createCodec(rig.keys, LATER).decode([newer])).toMatchObject([{ text: 'Hi', mood: 'merry' }])
})

test('the first of two releases reads what the second writes, and writes what the one before it reads', async () => {
  const between = await stored(BETWEEN, { mood: 'merry' })
  expect(between).toMatchObject({ metadata: { schema: NEXT_VERSION - 1 } })
  expect(await rig.codec.decode([between])).toMatchObject([{ text: 'Hi' }])
  const codec = createCodec(rig.keys, BETWEEN)
  expect(await codec.decode([await stored(LATER, { mood: 'merry' })])).toMatchObject([{ text: 'Hi', mood: 'merry' }])
  expect(await codec.decode([between])).toMatchObject([{ text: 'Hi', mood: null }])
})

test('a command on a stream that has such an event is not decided, and nothing is appended', async () => {
  const buzz = { type: 'Buzz' as const, from: ann, to: bea, via: 'discover' as const, at }
  await rig.dispatch(pairDecider, buzz, as(ann))
  await rig.log.append(stream, 0, [fromLater()])
  const { dispatch } = rig.process()
  await expect(dispatch(pairDecider, { ...buzz, from: bea, to: ann }, as(bea))).rejects.toThrow(TooNewEvent)
  await expect(rig.dispatch(pairDecider, { ...buzz, from: bea, to: ann }, as(bea))).rejects.toThrow(TooNewEvent)
  expect(await rig.log.read(stream, 0)).toHaveLength(2)
})
