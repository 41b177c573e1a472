import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Effect, effectDone, effectFailed, renewEffect, takeEffects } from '../../reactors/effects.ts'
import type { Reactor } from '../../reactors/reactor.ts'
import { createReactors } from '../../reactors/run.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../projections/engine-rig.ts'
import { until } from '../support/until.ts'

let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const owed = async () =>
  (await rig.pool.query('select state, tries, reason from app.reactor_effect order by position')).rows
const take = () => takeEffects(rig.pool, ['slow'], 16)
/** As if all leases were older. */
const passes = () => rig.pool.query(`update app.reactor_effect set due_at = due_at - interval '61 seconds'`)

async function oweOne() {
  await rig.pool.query(`insert into app.reactor (name, position) values ('slow', '0')`)
  await rig.pool.query(
    `insert into app.reactor_effect (reactor, event_id, position, stream, revision) values ('slow', 'one', '1', 's', 0)`,
  )
}

/** Taken by one process, and by another once the lease of the first is over. */
async function takenTwice(): Promise<[Effect, Effect]> {
  await oweOne()
  const [first] = await take()
  await passes()
  const [second] = await take()
  return [first!, second!]
}

test('an effect is kept while it is renewed, and is another process’ once that has taken it', async () => {
  await oweOne()
  const [first] = await take()
  await passes()
  expect(await renewEffect(rig.pool, first!)).toBe(true)
  expect(await take()).toEqual([])
  await passes()
  const [second] = await take()
  expect(second).toMatchObject({ event_id: 'one', tries: 2 })
  expect(await renewEffect(rig.pool, first!)).toBe(false)
  await effectDone(rig.pool, second!)
  await effectFailed(rig.pool, first!, 'too late', false)
  expect(await owed()).toEqual([{ state: 'done', tries: 2, reason: null }])
  expect(await renewEffect(rig.pool, second!)).toBe(false)
})

test('a process that fails late puts off and gives up nothing that another has taken since', async () => {
  const [first, second] = await takenTwice()
  await effectFailed(rig.pool, first, 'too late', true)
  expect(await owed()).toEqual([{ state: 'owed', tries: 2, reason: null }])
  expect(await renewEffect(rig.pool, second)).toBe(true)
})

test('what waited behind an effect that took long is done by the process that has taken it since, alone', async () => {
  const [ann, bea] = ['Ann', 'Bea'].map(member) as [never, never]
  let [letGo, done] = [() => {}, [] as number[]]
  const slow: Reactor<null, 'MessageSent'> = {
    name: 'slow',
    on: ['MessageSent'],
    async react({ number }) {
      done.push(number)
      if (number === 1) await new Promise<void>((resolve) => (letGo = resolve))
    },
  }
  const { log, codec, pool } = rig
  const reactors = createReactors({
    log,
    codec,
    pool,
    act: null,
    reactors: [slow],
    report: () => undefined,
    renewMs: 0,
  })
  await reactors.start()
  await rig.append(pairStream(ann, bea), sent(ann, bea, 1), sent(ann, bea, 2))
  await until('both are owed', async () => (await owed()).length === 2)
  const performed = reactors.perform('slow', new AbortController().signal)
  await until('the first is under way', () => done.length === 1)
  await passes()
  expect(await take()).toHaveLength(2)
  letGo()
  await performed
  expect(done).toEqual([1])
  await reactors.stop()
})
