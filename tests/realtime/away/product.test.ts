import { afterAll, beforeAll, expect, test } from 'vitest'
import { pairIdOf } from '../../../domain/shared/ids.ts'
import { type Served, startServed } from '../served.ts'

let served: Served
beforeAll(async () => {
  served = await startServed()
})
afterAll(() => served.stop())

test('a message that meets a part that is away comes back with the wait of a call', async () => {
  const { world } = served
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const socket = await served.socketOf(ann.token)
  await world.settled()
  await world.core.storage.pool.query('alter view read.relation rename to relation_away')
  const data = { to: bea.id, id: 'one', roomId: pairIdOf(ann.id, bea.id), text: 'Hello' }
  socket.send({ type: 'direct:message', id: 'm1', data })
  expect(await socket.next('error')).toMatchObject({ for: 'm1', code: 'failed', retryInMs: 5_000 })
})
