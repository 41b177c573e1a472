import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { member, pairIdOf, startWorld, type TestNode, type World } from './world.ts'

let world: World
let node: TestNode
beforeAll(async () => {
  world = await startWorld()
  node = await world.node()
})
afterAll(() => world.stop())
const people = (...names: string[]) => names.map((name) => member(name)) as [never, never, never, never]

test('registering under a foreign id binds nothing', async () => {
  const [ann, bea, eve] = people('Ann r', 'Bea r', 'Eve r')
  await world.match(ann, bea)
  const peer = await world.peer(node, eve)
  for (const type of ['register', 'user:register']) {
    peer.send({ type, id: 'own', data: { userId: eve } })
    expect((await peer.next('ack')).id).toBe('own')
    peer.send({ type, id: 'foreign', data: { userId: ann } })
    expect(await peer.next('error')).toEqual({
      type: 'error',
      for: 'foreign',
      error: 'Invalid request.',
      code: 'invalid',
    })
  }
  await world.sendMessage(bea, ann, 'For Ann alone')
  await peer.settled()
  expect(peer.events()).toEqual([])
})

test('a room opens to its two alone, and only under its own id', async () => {
  const [ann, bea, eve, cat] = people('Ann j', 'Bea j', 'Eve j', 'Cat j')
  await world.match(ann, bea)
  await world.buzz(ann, cat)
  const room = pairIdOf(ann, bea)
  const [a, e] = [await world.peer(node, ann), await world.peer(node, eve)]
  const join = async (peer: typeof a, roomId: string) => {
    const id = randomUUID()
    peer.send({ type: 'joinRoom', id, data: { roomId } })
    return until('an answer', () =>
      peer.frames.find((f) => (f.type === 'ack' && f.id === id) || (f.type === 'error' && f.for === id)),
    )
  }
  expect(await join(a, room)).toMatchObject({ type: 'ack' })
  const wrong = [room.split('_').reverse().join('_'), pairIdOf(ann, cat), `${ann}_${ann}`, `${ann}`, '*', '__proto__']
  for (const roomId of wrong) expect(await join(a, roomId), roomId).toMatchObject({ error: 'Not found' })
  for (const roomId of [room, `${eve}_${ann}`, pairIdOf(eve, ann)])
    expect(await join(e, roomId), roomId).toMatchObject({ error: 'Not found', code: 'not_found' })
})

test('someone who tries many rooms hears nothing of them', async () => {
  const [ann, bea, eve] = people('Ann m', 'Bea m', 'Eve m')
  await world.match(ann, bea)
  const peer = await world.peer(node, eve)
  for (let n = 0; n < 50; n++) peer.send({ type: 'joinRoom', data: { roomId: n % 2 ? pairIdOf(ann, bea) : `${n}_x` } })
  await world.sendMessage(ann, bea, 'Just us')
  await until('all answers', () => peer.frames.filter(({ type }) => type === 'error').length >= 50)
  await peer.settled()
  expect(peer.frames.filter(({ type }) => type === 'event' || type === 'signal')).toEqual([])
})

test('typing reaches the other in the room, once a second, and nobody else', async () => {
  const [ann, bea, eve] = people('Ann t', 'Bea t', 'Eve t')
  await world.match(ann, bea)
  const roomId = pairIdOf(ann, bea)
  const [a, b, b2, e] = await Promise.all([ann, bea, bea, eve].map((who) => world.peer(node, who)))
  b!.send({ type: 'joinRoom', id: 'j', data: { roomId } })
  await b!.next('ack')
  a!.send({ type: 'typing', data: { roomId, on: true } })
  a!.send({ type: 'typing', data: { roomId, on: false } })
  e!.send({ type: 'typing', id: 'spy', data: { roomId, on: true } })
  expect((await e!.next('error')).error).toBe('Not found')
  const typing = await until('typing', () => b!.frames.find((f) => f.type === 'signal' && f.name === 'typing'))
  expect(typing).toMatchObject({ data: { roomId, from: ann, on: true } })
  await Promise.all([a!, b!, b2!].map((peer) => peer.settled()))
  const heard = [a!, b!, b2!].map(
    (peer) => peer.frames.filter((f) => f.type === 'signal' && f.name === 'typing').length,
  )
  expect(heard).toEqual([0, 1, 0])
})
