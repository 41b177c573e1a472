import { afterEach, beforeEach, expect, test } from 'vitest'
import { START } from '../../../domain/shared/recorded.ts'
import { schemaOf, type Target } from '../../../projections/engine/checkpoints.ts'
import { layoutOf } from '../../../projections/engine/columns.ts'
import { decodeOnce } from '../../../projections/engine/decoding.ts'
import { FillingModel } from '../../../projections/engine/fill/model.ts'
import { RowSet } from '../../../projections/engine/row-set.ts'
import { findOrMakeTarget } from '../../../projections/engine/targets.ts'
import { Turns } from '../../../projections/engine/turns.ts'
import { line, tallies } from '../../support/toy-projections.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

/** Far more than a look at rows takes. */
const ROUNDS = 30
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const [ann, bea] = [member('ann'), member('bea')]

test('a read model looks for its rows once those that are on their way have come', async () => {
  await rig.append(pairStream(ann, bea), sent(ann, bea, 1), sent(ann, bea, 2))
  const stored = (await rig.log.readAll(START, 100)).filter(({ type }) => type === 'MessageSent')
  const [first, second] = await decodeOnce(rig.codec, rig.keys, stored)
  const assignment = await findOrMakeTarget(rig.pool, rig.log, tallies)
  const { target } = assignment as { target: Target } & typeof assignment
  let arrive = () => {}
  const under = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const [onPage, index, head] = [() => undefined, async () => undefined, second!.stored.position]
  const { signal } = new AbortController()
  const given = {
    pool: rig.pool,
    projection: tallies,
    target,
    empty: true,
    head,
    signal,
    note: () => under,
    onPage,
    index,
  }
  const model = new FillingModel(given, new Turns())
  await model.take({ events: [first!], to: first!.stored.position, passed: 1 })
  for (const { letGo } of model.inMemory) letGo()
  await model.write()
  const taken = model.take({ events: [second!], to: head, passed: 1 })
  for (let round = 0; round < ROUNDS; round++) await rig.pool.query('select 1')
  arrive()
  await taken
  await model.finish()
  const { rows } = await rig.pool.query(`select member, messages from ${schemaOf(target)}.tally`)
  expect(rows).toEqual([{ member: ann, messages: '2' }])
})

test('a row that is written over one that nobody read, and removed, is removed from the table too', () => {
  const row = { room: 'a room', number: 1, from_member: 'ann', text: 'a word' }
  const removed = (whole: boolean) => {
    const set = new RowSet(layoutOf(line), whole)
    set.set(set.idOf(row), row)
    set.set(set.idOf(row), undefined)
    return set.written().deletes.length
  }
  expect(removed(false)).toBe(1)
  expect(removed(true)).toBe(0)
})
