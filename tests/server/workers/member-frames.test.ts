import { expect, test } from 'vitest'
import { MemberFrames } from '../../../realtime/member-frames.ts'
import { until } from '../../support/until.ts'
import { delivered, startLinked } from './linked.ts'

const member = 'ann' as never
const RATES = { memberFramesPerSecond: 0, memberFrameBurst: 100 }

test('what a member sends to one worker counts at the others', async () => {
  const { worker } = startLinked()
  const [other, watching] = [worker(), worker()]
  const [one, two] = [new MemberFrames(RATES, worker().frames), new MemberFrames(RATES, other.frames)]
  const heard: number[] = []
  watching.frames.hear((_key, frames) => void heard.push(frames))
  expect(one.take(member, 90)).toBe(true)
  await until('others know', () => heard.length > 0)
  await delivered(other)
  expect([two.take(member, 20), two.take(member, 10)]).toEqual([false, true])
})
