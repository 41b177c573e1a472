import { randomUUID } from 'node:crypto'
import { EventStoreDBClient, StreamDeletedError } from '@eventstore/db-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Rig, startRig } from './rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
  await rig.log.append('over', 'no_stream', [noted()])
  const client = EventStoreDBClient.connectionString(rig.server.connectionString)
  await client.tombstoneStream('over')
  await client.dispose()
})
afterAll(() => rig.stop())
const noted = () => ({ id: randomUUID(), type: 'Noted', data: {}, metadata: {} })

test('a stream that has ended reads as empty, and is known as ended by its last event', async () => {
  expect(await rig.log.read('over')).toEqual([])
  expect(await rig.log.read('over', 1, undefined, 1)).toEqual([])
  expect(await rig.log.readLast('over')).toBe('ended')
})

test('an append to a stream that has ended is refused for good, and not sent again', async () => {
  await expect(rig.log.append('over', 0, [noted()])).rejects.toThrow(StreamDeletedError)
  await expect(rig.log.append('over', 'no_stream', [noted()])).rejects.toThrow(StreamDeletedError)
})
