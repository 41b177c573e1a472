import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeReactors } from '../../reactors/effects.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../projections/engine-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [never, never]
let rig: EngineRig
beforeAll(async () => {
  rig = await startEngineRig()
})
afterAll(() => rig.stop())

test('a start sets reactors that are beyond the end of its log to the end, and leaves those of other logs where they are', async () => {
  const early = await rig.append(pairStream(ann, bea), sent(ann, bea, 1))
  const end = await rig.append(pairStream(ann, bea), sent(ann, bea, 2))
  const beyond = `f${end.slice(1)}`
  const logId = await rig.log.id()
  const rows = [
    ['beyond', beyond, logId],
    ['early', early, logId],
    ['elsewhere', beyond, 'another log'],
    ['elsewhere-early', early, 'another log'],
  ]
  for (const row of rows)
    await rig.pool.query('insert into app.reactor (name, position, log_id) values ($1, $2, $3)', row)
  await placeReactors(rig.pool, rig.log, [...rows.map(([name]) => ({ name: name! })), { name: 'new' }])
  const { rows: placed } = await rig.pool.query({
    text: 'select name, position, log_id from app.reactor order by name',
    rowMode: 'array',
  })
  const [, ...others] = rows
  expect(placed).toEqual([['beyond', await rig.log.end(), logId], ...others])
})
