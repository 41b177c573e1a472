import { afterEach, beforeEach, expect, test } from 'vitest'
import { fold, type Projection, type Table } from '../../../../projections/projection.ts'
import { tallies } from '../../../support/toy-projections.ts'
import { appendLoad, type EngineRig, startEngineRig } from '../../engine-rig.ts'

let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

type Row = { id: string; n: number }
const thing: Table<Row> = { name: 'thing', columns: { id: 'uuid not null', n: 'integer not null' }, key: ['id'] }
const ID = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee'
const counted = (id: string) => fold(thing, { id }, (row) => ({ id: row?.id ?? id, n: (row?.n ?? 0) + 1 }))
const things: Projection = {
  name: 'things',
  version: 1,
  tables: [thing],
  when: { MessageSent: () => [counted(ID), counted(ID.toUpperCase())] },
}

test('an event that writes one row twice, by keys that differ in text alone, is in quarantine, and others go on', async () => {
  const projector = rig.project([tallies, things])
  await projector.start()
  await appendLoad(rig, 1)
  expect(await projector.waitFor(await rig.log.head(), undefined, 10_000)).toBe(true)
  const [, status] = projector.status()
  expect(status?.quarantined).toBeGreaterThan(0)
})
