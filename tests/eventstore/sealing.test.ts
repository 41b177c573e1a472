import { afterAll, beforeAll, expect, test } from 'vitest'
import { pairDecider } from '../../domain/pair/decider.ts'
import { profileDecider } from '../../domain/profile/decider.ts'
import { DEFAULT_PREFERENCES } from '../../domain/profile/fields.ts'
import { MessageId, pairIdOf } from '../../domain/shared/ids.ts'
import { UndecodableEvent } from '../../eventstore/codec.ts'
import { as, member, type Rig, startRig } from './rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.stop())

const at = new Date('2030-01-01T12:00:00Z')
const CANARY = 'canary-7f3a'

async function chat(name: string) {
  const [ann, bea] = [member(`${name} ann`), member(`${name} bea`)]
  for (const [from, to] of [
    [ann, bea],
    [bea, ann],
  ] as const)
    await rig.dispatch(pairDecider, { type: 'Buzz', from, to, via: 'discover', at }, as(from))
  for (const [from, to] of [
    [ann, bea],
    [bea, ann],
  ] as const) {
    const message = MessageId.parse(`from-${from}`)
    const send = { type: 'SendMessage' as const, message, from, to, text: `${CANARY} of ${from}`, media: null, at }
    await rig.dispatch(pairDecider, send, as(from))
  }
  return { ann, bea, stream: `pair-${pairIdOf(ann, bea)}` }
}

test('words of members never stand in the log in the clear', async () => {
  const { stream, ann } = await chat('clear')
  await rig.dispatch(
    profileDecider,
    {
      type: 'StartProfile',
      member: ann,
      firstName: CANARY,
      lastName: CANARY,
      dob: '1990-05-17',
      gender: 'Female',
      lookingFor: 'serious',
      interestedIn: ['male'],
      preferences: DEFAULT_PREFERENCES,
      interests: ['Music'],
      phone: '+4915112345678',
      visibilityMode: 'auto',
      at,
    },
    as(ann),
  )
  const stored = [...(await rig.log.read(stream)), ...(await rig.log.read(`profile-${ann}`))]
  const text = JSON.stringify(stored)
  for (const secret of [CANARY, '1990-05-17', '+4915112345678', 'Female', 'Music']) expect(text).not.toContain(secret)
  const decoded = JSON.stringify(await rig.codec.decode(stored))
  for (const secret of [CANARY, '1990-05-17', '+4915112345678', 'Female', 'Music']) expect(decoded).toContain(secret)
})

test('destroying a key erases its subject’s words and nobody else’s', async () => {
  const { ann, bea, stream } = await chat('erase')
  await rig.keys.destroy(ann)
  const messages = (await rig.codec.decode(await rig.log.read(stream))).filter((event) => event.type === 'MessageSent')
  expect(messages.map((event) => event.text)).toEqual([{ erased: true }, `${CANARY} of ${bea}`])
})

test('a destroyed key is never made again', async () => {
  const { ann, bea } = await chat('again')
  await rig.keys.destroy(ann)
  const elsewhere = rig.process()
  const message = MessageId.parse('late')
  const send = { type: 'SendMessage' as const, message, from: ann, to: bea, text: 'late', media: null, at }
  expect(await elsewhere.dispatch(pairDecider, send, as(ann))).toEqual({ ok: false, reason: 'conflict' })
  expect(await rig.process().keys.load([ann], (keys) => keys.isDestroyed(ann))).toBe(true)
})

test('an envelope moved to another event does not open', async () => {
  const { stream } = await chat('moved')
  const stored = (await rig.log.read(stream)).filter((event) => event.type === 'MessageSent')
  const forged = { ...stored[0]!, id: stored[1]!.id }
  await expect(rig.codec.decode([forged])).rejects.toThrow(UndecodableEvent)
})

test('an event that cannot be read is named without its content', async () => {
  const { stream } = await chat('named')
  const [stored] = await rig.log.read(stream)
  const broken = { ...stored!, data: { from: CANARY } }
  const error = await rig.codec.decode([broken]).catch((caught: unknown) => caught)
  expect(String(error)).toContain(`Buzzed ${stored!.id} (${stream}@0)`)
  expect(String(error)).not.toContain(CANARY)
})
