import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeEffects } from '../../reactors/effects.ts'
import type { Reactor } from '../../reactors/reactor.ts'
import { createReactors } from '../../reactors/run.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../projections/engine-rig.ts'
import { until } from '../support/until.ts'

type Act = { mail(number: number): Promise<void> }
const [ann, bea] = ['Ann', 'Bea'].map(member) as [never, never]
const mailing: Reactor<Act, 'MessageSent'> = {
  name: 'mail-messages',
  on: ['MessageSent'],
  mails: true,
  react: ({ number }, act) => act.mail(number),
}

let rig: EngineRig
let asked: number[]
let mailIsUp: boolean
/** Until then nobody knows whether the mail server is there. */
let isKnown: Promise<unknown>
let reactors: ReturnType<typeof createReactors<Act>>
beforeEach(async () => {
  rig = await startEngineRig()
  asked = []
  mailIsUp = true
  isKnown = Promise.resolve()
})
afterEach(async () => {
  await reactors.stop()
  await rig.stop()
})

const owed = async () =>
  (await rig.pool.query('select state, tries, due_at <= now() as due from app.reactor_effect order by position')).rows

/** Three mails are owed. */
async function owe(mail: (number: number) => Promise<void>, roundMs?: number) {
  const act: Act = {
    mail(number) {
      asked.push(number)
      return mail(number)
    },
  }
  const { log, codec, pool } = rig
  reactors = createReactors({
    log,
    codec,
    pool,
    act,
    mailIsUp: () => isKnown.then(() => mailIsUp),
    reactors: [mailing],
    report: () => undefined,
    ...(roundMs && { roundMs }),
  })
  await reactors.start()
  await rig.append(pairStream(ann, bea), ...[1, 2, 3].map((number) => sent(ann, bea, number)))
  await until('all are owed', async () => (await owed()).length === 3)
}

test('a stop waits for no mail server that says nothing, and gives back what it has not begun', async () => {
  await owe(() => new Promise(() => undefined))
  const stopped = new AbortController()
  const performed = reactors.perform(mailing.name, stopped.signal)
  await until('the first is under way', () => asked.length === 1)
  const startedAt = performance.now()
  stopped.abort()
  await performed
  expect(performance.now() - startedAt).toBeLessThan(4_000)
  expect(asked).toEqual([1])
  expect(await owed()).toEqual([
    { state: 'owed', tries: 1, due: false },
    { state: 'owed', tries: 0, due: true },
    { state: 'owed', tries: 0, due: true },
  ])
})

test('a stop waits for no answer to whether the mail server is there', async () => {
  isKnown = new Promise(() => undefined)
  await owe(async () => undefined)
  const stopped = new AbortController()
  const performed = reactors.perform(mailing.name, stopped.signal)
  stopped.abort()
  await performed
  expect(asked).toEqual([])
  expect((await owed()).map(({ state, tries }) => [state, tries])).toEqual(Array(3).fill(['owed', 0]))
})

test('what takes long goes on for a round, and what is left is anybody’s at once', async () => {
  await owe(async () => void (await rig.pool.query('select pg_sleep(0.06)')), 50)
  expect(await reactors.perform(mailing.name, new AbortController().signal)).toBeLessThanOrEqual(0)
  expect(asked).toEqual([1])
  expect((await owed()).map(({ state }) => state)).toEqual(['done', 'owed', 'owed'])
  expect(await takeEffects(rig.pool, [mailing.name], 16)).toHaveLength(2)
})

test('a mail that fails again is behind those that wait for their first try', async () => {
  const first = async (number: number) => {
    if (number > 1) return
    await rig.pool.query('select pg_sleep(0.6)')
    throw new Error('the mail server says nothing')
  }
  await owe(first, 500)
  const round = () => reactors.perform(mailing.name, new AbortController().signal)
  await round()
  const due = async () => (await owed()).every(({ due, state }) => due || state === 'done')
  await until('the first is due again', due)
  await round()
  expect(asked).toEqual([1, 2, 3, 1])
  expect((await owed()).map(({ state }) => state)).toEqual(['owed', 'done', 'done'])
})

test('while the mail server is away a mail waits and is not tried, and goes out once that is back', async () => {
  mailIsUp = false
  await owe(async () => undefined)
  const round = () => reactors.perform(mailing.name, new AbortController().signal)
  expect(await round()).toBeGreaterThan(1_000)
  expect(asked).toEqual([])
  expect(await owed()).toEqual([1, 2, 3].map(() => ({ state: 'owed', tries: 0, due: true })))
  mailIsUp = true
  expect(await round()).toBeNull()
  expect(asked).toEqual([1, 2, 3])
})
