import { afterEach, beforeEach, expect, test } from 'vitest'
import { UndecodableEvent } from '../../eventstore/codec.ts'
import { hurryEffects } from '../../reactors/effects.ts'
import type { Reactor } from '../../reactors/reactor.ts'
import { createReactors } from '../../reactors/run.ts'
import { fromLater } from '../eventstore/later-release.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../projections/engine-rig.ts'
import { until } from '../support/until.ts'

type Act = { forward(): Promise<void> }
const [ann, bea] = ['Ann', 'Bea'].map(member) as [never, never]
const stream = pairStream(ann, bea)
const plain: Reactor<Act, 'MessageSent'> = { name: 'plain', on: ['MessageSent'], react: (_, act) => act.forward() }
const kept: Reactor<Act, 'MessageSent'> = { ...plain, name: 'kept', untilDone: true }

let rig: EngineRig
let running: { stop(): Promise<void> }[]
beforeEach(async () => {
  rig = await startEngineRig()
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()))
  await rig.stop()
})

const owed = async () => (await rig.pool.query('select state, reason from app.reactor_effect')).rows

/** A reactor that is tried by hand: `hour` tries what is due, and sets the clock of its database on by an hour. */
async function start(reactor: Reactor<Act, 'MessageSent'>, forward: () => Promise<void>) {
  const lines: string[] = []
  const report = (level: string, text: string) => void lines.push(`${level}: ${text}`)
  const deps = { log: rig.log, codec: rig.codec, pool: rig.pool, act: { forward }, report }
  const reactors = createReactors({ ...deps, reactors: [reactor] })
  running.push(reactors)
  await reactors.start()
  return {
    lines,
    async hour() {
      await reactors.perform(reactor.name, new AbortController().signal)
      await rig.pool.query(`update app.reactor_effect set due_at = due_at - interval '1 hour'`)
    },
  }
}
/** One event, which the reactor owes something for. */
async function owe() {
  await rig.append(stream, sent(ann, bea, 1))
  await until('it is noted', async () => (await owed()).length === 1)
}
const failing = () => Promise.reject(new Error('not yet'))

test.each([
  [plain, 'given-up', 'error: a reactor gave up on an event'],
  [kept, 'owed', 'error: a reactor tries again'],
])(
  'after days of failing, the reactor $name leaves its event as it ought to, and the operator knows',
  async (reactor, state, line) => {
    const { lines, hour } = await start(reactor, failing)
    await owe()
    for (let hours = 0; hours < 70; hours++) await hour()
    expect(await owed()).toEqual([{ state, reason: 'Error' }])
    expect([lines[0], lines.at(-1)]).toEqual(['warn: a reactor tries again', line])
  },
)

test('what a later release wrote is never given up, whichever reactor it is for', async () => {
  const { lines, hour } = await start(plain, failing)
  await rig.log.append('pair-later', 'no_stream', [fromLater()])
  await until('it is noted', async () => (await owed()).length === 1)
  for (let hours = 0; hours < 70; hours++) await hour()
  expect(await owed()).toEqual([{ state: 'owed', reason: 'TooNewEvent' }])
  expect(lines.at(-1)).toBe('error: a reactor tries again')
})

test('what a reaction itself cannot read is tried again', async () => {
  const { hour } = await start(plain, () => Promise.reject(new UndecodableEvent('of another stream')))
  await owe()
  await hour()
  expect(await owed()).toEqual([{ state: 'owed', reason: 'UndecodableEvent' }])
})

test('a start owes again what was given up, where it is tried until it is done, and so does who hurries it', async () => {
  for (const reactor of [plain, kept]) await start(reactor, failing)
  await rig.append(stream, sent(ann, bea, 1))
  await until('both are noted', async () => (await owed()).length === 2)
  const giveUp = `update app.reactor_effect set state = 'given-up', due_at = now() + interval '1 hour'`
  const due = async () =>
    (await rig.pool.query(`select reactor from app.reactor_effect where state = 'owed' and due_at <= now()`)).rows
  await rig.pool.query(giveUp)
  for (const reactor of [plain, kept]) await start(reactor, failing)
  expect(await due()).toEqual([{ reactor: 'kept' }])
  await rig.pool.query(`${giveUp}; select job.remove_job('react:kept')`)
  await hurryEffects(rig.pool, 'kept', 'pair-another')
  expect(await due()).toEqual([])
  await hurryEffects(rig.pool, 'kept', stream)
  expect(await due()).toEqual([{ reactor: 'kept' }])
  expect((await rig.pool.query(`select from job.jobs where key = 'react:kept'`)).rowCount).toBe(1)
})

test('what is done is not owed again by who hurries it', async () => {
  const { hour } = await start(kept, () => Promise.resolve())
  await owe()
  await hour()
  const done = [{ state: 'done', reason: null }]
  expect(await owed()).toEqual(done)
  await rig.pool.query(`select job.remove_job('react:kept')`)
  await hurryEffects(rig.pool, 'kept', stream)
  expect(await owed()).toEqual(done)
  expect((await rig.pool.query(`select from job.jobs where key = 'react:kept'`)).rowCount).toBe(0)
})
