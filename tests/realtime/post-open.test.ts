import { afterAll, beforeAll, expect, test } from 'vitest'
import { member, startWorld, type TestNode, type World } from './world.ts'

let world: World
let node: TestNode
beforeAll(async () => {
  world = await startWorld()
  node = await world.node()
})
afterAll(() => world.stop())

test('post:open and post:close of the contract are frames like others of later releases', async () => {
  const peer = await world.peer(node, member('Reader'))
  for (const [at, type] of ['post:open', 'post:close', 'post:open'].entries()) {
    peer.send({ type, id: `f${at}`, data: { postId: '0123456789abcdefghijklmn' } })
    expect(await peer.next('error')).toMatchObject({ for: `f${at}`, code: 'unsupported' })
  }
  await peer.settled()
})
