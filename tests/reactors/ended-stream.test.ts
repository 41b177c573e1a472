import { EventStoreDBClient } from '@eventstore/db-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scavenge } from '../../eventstore/embedded/storage/scavenge.ts'
import { reactorPosition } from '../../reactors/effects.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../projections/engine-rig.ts'

const [ann, bea, cleo] = ['Ann', 'Bea', 'Cleo'].map(member) as [never, never, never]
let rig: EngineRig
beforeAll(async () => {
  rig = await startEngineRig()
})
afterAll(() => rig.stop())

test('a reactor goes on where it was, though the newest events of the log are gone with their stream', async () => {
  const position = () => reactorPosition(rig.pool, 'forward-messages', rig.log)
  await rig.append(pairStream(ann, bea), sent(ann, bea, 1))
  const ended = pairStream(ann, cleo)
  const newest = await rig.append(ended, sent(ann, cleo, 2))
  await position()
  await rig.pool.query('update app.reactor set position = $1', [newest])
  const client = EventStoreDBClient.connectionString(rig.connectionString)
  await client.tombstoneStream(ended)
  await client.dispose()
  await scavenge({ database: rig.logDatabase })
  expect((await rig.log.head()) < newest).toBe(true)
  expect(await position()).toBe(newest)
})
