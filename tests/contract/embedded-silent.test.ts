import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { EventLog } from '../../eventstore/embedded/event-log.ts'
import { PostgresStorage } from '../../eventstore/embedded/storage/postgres-storage.ts'
import { freshDatabase } from '../support/fresh-database.ts'
import { wayTo } from '../support/servers/way-to.ts'
import { until } from '../support/until.ts'

const noted = (position: number) => {
  const nothing = Buffer.alloc(0)
  const event = { stream: 's', revision: position, id: randomUUID(), type: 'Noted', json: true, created: 0 }
  return { ...event, position, data: nothing, metadata: nothing }
}

async function opened(silentMs: number) {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  const { silence, ...address } = await wayTo(database.config)
  const settings = { database: { ...database.config, ...address }, logLine: () => undefined, lockWaitMs: 1_000 }
  const storage = new PostgresStorage({ ...settings, silentMs })
  onTestFinished(() => storage.close())
  await storage.open()
  return { database, storage, silence }
}

const START = { from: 0, backwards: false, limit: 10 }
const readAll = (storage: PostgresStorage) => storage.readAll(START).then(({ events }) => events.length)

/** All connections that read are silent, and the one that writes is another. */
async function withSilentReaders(silentMs: number) {
  const { storage, silence } = await opened(silentMs)
  await storage.commit([noted(1), noted(2)])
  await Promise.all(Array.from({ length: 8 }, () => readAll(storage)))
  silence()
  const asked = Array.from({ length: 4 }, () => readAll(storage))
  const log = new EventLog(storage, () => undefined)
  await log.open()
  return { log, storage, asked }
}

test('a writing connection that falls silent is cut, and the next one has the lock though the former did not end', async () => {
  const { storage, silence } = await opened(300)
  await storage.commit([noted(1)])
  silence()
  await expect(storage.commit([noted(2)])).rejects.toThrow()
  expect(await storage.open()).toBe(1)
  await storage.commit([noted(2)])
  expect(await storage.open()).toBe(2)
})

test('reads whose connections fall silent fail, and the next ones are answered', async () => {
  const { storage, asked } = await withSilentReaders(1_000)
  for (const one of asked) await expect(one).rejects.toThrow('silent')
  expect(await readAll(storage)).toBe(2)
})

test('a log is not alive while its reads are not answered', async () => {
  const { log, asked } = await withSilentReaders(3_000)
  expect([log.ready(), await log.alive()]).toEqual([true, false])
  await Promise.allSettled(asked)
  await until('it is alive', () => log.alive())
})
