import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

/** Holds a read model where it stands until let go. */
async function hold(name: string): Promise<() => Promise<void>> {
  const db = await world.core.storage.pool.connect()
  await db.query('begin')
  await db.query(`select from app.projection where name = $1 for update`, [name])
  return async () => {
    await db.query('rollback')
    db.release()
  }
}

test('a write waits for what its sender has heard of by a push, and says so when the read models stay behind', async () => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  const letGo = await hold('conversations')
  const id = randomUUID()
  await world.sendMessage(ann, bea, 'Heard before it can be read', id)
  const heard = await world.core.log.head()
  const read = () =>
    world.page(`/chat/${ann.id}`, {
      method: 'POST',
      headers: { Cookie: `${bea.cookie}; __Host-live=${heard}` },
      body: new URLSearchParams({ intent: 'read', id, live: 'yes' }),
    })
  const early = await read()
  expect([early.status, early.headers.get('X-Log-Behind')]).toEqual([404, 'true'])
  const soon = read()
  await letGo()
  expect([(await soon).status, (await soon).headers.get('X-Log-Behind')]).toEqual([200, null])
})
