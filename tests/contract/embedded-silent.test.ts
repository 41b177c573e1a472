import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { PostgresStorage } from '../../eventstore/embedded/storage/postgres-storage.ts'
import { freshDatabase } from '../support/fresh-database.ts'
import { wayTo } from '../support/servers/way-to.ts'

const noted = (position: number) => {
  const nothing = Buffer.alloc(0)
  const event = { stream: 's', revision: position, id: randomUUID(), type: 'Noted', json: true, created: 0 }
  return { ...event, position, data: nothing, metadata: nothing }
}

test('a writing connection that falls silent is cut, and the next one has the lock though the former did not end', async () => {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  const { silence, ...address } = await wayTo(database.config)
  const settings = { database: { ...database.config, ...address }, logLine: () => undefined, lockWaitMs: 1_000 }
  const storage = new PostgresStorage({ ...settings, silentMs: 300 })
  onTestFinished(() => storage.close())
  await storage.open()
  await storage.commit([noted(1)])
  silence()
  await expect(storage.commit([noted(2)])).rejects.toThrow()
  expect(await storage.open()).toBe(1)
  await storage.commit([noted(2)])
  expect(await storage.open()).toBe(2)
})
