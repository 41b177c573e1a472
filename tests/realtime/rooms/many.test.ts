import { afterAll, beforeAll, expect, test } from 'vitest'
import { member, pairIdOf, startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

test('a socket beyond its rooms leaves the one it joined longest ago, and none for a room it is in', async () => {
  const ann = member('Ann o')
  const others = ['Bea o', 'Cat o', 'Dan o', 'Eve o'].map((name) => member(name))
  const node = await world.node({ limits: { roomsPerSocket: 3 } })
  const a = await world.peer(node, ann)
  const join = async (roomId: string) => {
    a.send({ type: 'joinRoom', data: { roomId } })
    await a.next('ack')
  }
  for (const other of others) await world.match(ann, other)
  for (let n = 0; n < others.length; n++) await a.event('match', n + 1)
  const rooms = others.map((other) => pairIdOf(ann, other))
  for (const room of [...rooms.slice(0, 3), rooms[2]!, rooms[3]!]) await join(room)
  for (const [n, other] of others.entries()) {
    const peer = await world.peer(node, other)
    peer.send({ type: 'typing', data: { roomId: rooms[n]!, on: true } })
    await peer.settled()
  }
  await a.settled()
  const heard = a.frames.flatMap((frame) =>
    frame.type === 'signal' && frame.name === 'typing' ? [frame.data.roomId] : [],
  )
  expect(heard).toEqual(rooms.slice(1))
})
