import { randomUUID } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { PostgresStorage } from '../../eventstore/embedded/storage/postgres-storage.ts'
import { freshDatabase } from '../support/fresh-database.ts'

/** A way to Postgres on which the connections of this moment can become silent: no end, no error, nothing that arrives. */
async function wayTo({ host = '127.0.0.1', port = 5432 }: { host?: string | undefined; port?: number | undefined }) {
  const pairs: [Socket, Socket][] = []
  const way = createServer((near) => {
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    for (const one of [near, far]) one.on('error', () => one.destroy())
    near.pipe(far).pipe(near)
    pairs.push([near, far])
  })
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const pair of pairs) for (const one of pair) one.destroy()
    way.close()
  })
  const silence = () => {
    for (const [near, far] of pairs) {
      near.unpipe(far).resume()
      far.unpipe(near).resume()
    }
  }
  return { host: '127.0.0.1', port: (way.address() as { port: number }).port, silence }
}

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
