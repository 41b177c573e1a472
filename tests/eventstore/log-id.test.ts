import { EventStoreDBClient } from '@eventstore/db-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { START } from '../../domain/shared/recorded.ts'
import { scavenge } from '../../eventstore/embedded/storage/scavenge.ts'
import { openLog } from '../../eventstore/log.ts'
import { fromLater } from './later-release.ts'
import { type Rig, startRig } from './rig.ts'

let rig: Rig
beforeEach(async () => {
  rig = await startRig()
})
afterEach(() => rig.stop())

const connectionString = () => rig.server.connectionString
const first = async () => (await rig.log.readAll(START, 1))[0]?.id

test('a log has one id from its beginning, whichever process asks first', async () => {
  const others = [1, 2, 3].map(() => openLog({ connectionString: connectionString() }))
  const ids = await Promise.all([rig.log, ...others].map((log) => log.id()))
  expect(new Set(ids).size).toBe(1)
  await rig.log.append('a', 'no_stream', [fromLater()])
  const later = openLog({ connectionString: connectionString() })
  expect(await later.id()).toBe(ids[0])
  expect(await first()).not.toBe(ids[0])
  await Promise.all([...others, later].map((log) => log.close()))
})

test('a log from before it had one is known by its first event, also once that is gone', async () => {
  await rig.log.append('gone', 'no_stream', [fromLater(), fromLater()])
  await rig.log.append('stays', 'no_stream', [fromLater()])
  const before = await first()
  expect(await rig.log.id()).toBe(before)
  const client = EventStoreDBClient.connectionString(connectionString())
  await client.deleteStream('gone')
  await scavenge({ database: rig.logDatabase.config })
  expect(await first()).not.toBe(before)
  const later = openLog({ connectionString: connectionString() })
  expect(await later.id()).toBe(before)
  await Promise.all([later.close(), client.dispose()])
})
