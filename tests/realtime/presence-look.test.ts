import { expect, onTestFinished, test } from 'vitest'
import { Presence } from '../../realtime/presence.ts'
import { until } from '../support/until.ts'
import { member } from './world.ts'

const ann = member('Ann looked at')

/** A node's presence whose questions the test answers, one by one. */
function asked() {
  const questions: { answer: (shows: boolean) => void; fail: () => void; asked: Promise<boolean> }[] = []
  const changes: boolean[] = []
  const shows = () => {
    let [answer, fail]: [(shows: boolean) => void, () => void] = [() => undefined, () => undefined]
    const asked = new Promise<boolean>((resolve, reject) => {
      answer = resolve
      fail = () => reject(new Error('behind'))
    })
    questions.push({ answer, fail, asked })
    return asked
  }
  const presence = new Presence({ node: 'n', offlineAfterMs: 0, shows, changed: (_who, on) => changes.push(on) })
  onTestFinished(() => presence.stop())
  presence.moved(ann, true)
  return { presence, questions, changes }
}

test('an answer that comes after a newer one changes nothing', async () => {
  const { presence, questions, changes } = asked()
  presence.look(ann)
  questions[1]!.answer(false)
  await questions[1]!.asked
  questions[0]!.answer(true)
  await questions[0]!.asked
  expect(presence.isOnline(ann)).toBe(false)
  expect(changes).toEqual([])
})

test('who was shown is not while nobody can say, and is asked about again', async () => {
  const { presence, questions, changes } = asked()
  questions[0]!.answer(true)
  await until('Ann is shown', () => presence.isOnline(ann))
  presence.look(ann)
  questions[1]!.fail()
  await until('Ann is not shown', () => !presence.isOnline(ann))
  presence.hear({ type: 'hello', node: 'another' })
  questions[2]!.answer(true)
  await until('Ann is shown again', () => presence.isOnline(ann))
  presence.hear({ type: 'hello', node: 'another' })
  expect(questions).toHaveLength(3)
  expect(changes).toEqual([true, false, true])
})
