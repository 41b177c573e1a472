import { afterAll, beforeAll, expect, test } from 'vitest'
import { idFrom } from '../../eventstore/ids.ts'
import { until } from '../support/until.ts'
import { member, pairIdOf, startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

test('a buzz back notifies both of the match, and puts it into their notifications', async () => {
  const [ann, bea, cat] = ['Ann', 'Bea', 'Cat'].map((name) => member(`${name} 1`)) as [never, never, never]
  const node = await world.node()
  const [a, b, c] = await Promise.all([ann, bea, cat].map((who) => world.peer(node, who)))
  await world.match(ann, bea)
  const toAnn = await a!.event('match')
  const toBea = await b!.event('match')
  expect(toAnn.data).toEqual({ otherUserId: bea, roomId: pairIdOf(ann, bea) })
  expect(toBea.data).toEqual({ otherUserId: ann, roomId: pairIdOf(ann, bea) })
  expect(toAnn.id).not.toBe(toBea.id)
  const news = await until('the match in the notifications', () =>
    a!.events('notification').find((event) => event.data.type === 'match'),
  )
  expect(news.data).toMatchObject({ fromId: bea, read: false, href: `/viewprofile/${bea}` })
  expect(news.data.message).toMatch(/^You matched with Name of/)
  await c!.settled()
  expect(c!.events()).toEqual([])
})

test('a buzz notifies its target alone, under the id of the notification in the read model', async () => {
  const [ann, bea] = ['Ann', 'Bea'].map((name) => member(`${name} 2`)) as [never, never]
  const node = await world.node()
  const [a, b] = await Promise.all([ann, bea].map((who) => world.peer(node, who)))
  await world.buzz(ann, bea)
  const { id, data } = await b!.event('notification')
  const stored = (await world.log.read(`pair-${pairIdOf(ann, bea)}`)).find(({ type }) => type === 'Buzzed')!
  expect(id).toBe(idFrom(stored.id, bea))
  expect(data).toMatchObject({ id, type: 'buzz', subtype: 'match_request', fromId: ann, read: false })
  expect(data.message).toMatch(/wants to match with you$/)
  await a!.settled()
  expect(a!.events()).toEqual([])
})

test('a buzz nearby also asks for an answer', async () => {
  const [ann, bea] = ['Ann', 'Bea'].map((name) => member(`${name} 3`)) as [never, never]
  const node = await world.node()
  const b = await world.peer(node, bea)
  await world.buzz(ann, bea, 'microbuzz')
  expect((await b.event('buzz_request')).data.fromId).toBe(ann)
  expect(b.events('notification')).toHaveLength(1)
})

test('a message goes to every socket of both, and a receipt to its sender', async () => {
  const [ann, bea] = ['Ann', 'Bea'].map((name) => member(`${name} 4`)) as [never, never]
  await world.match(ann, bea)
  const node = await world.node()
  const [a, a2, b] = await Promise.all([ann, ann, bea].map((who) => world.peer(node, who)))
  await world.sendMessage(ann, bea, 'Hello', 'first')
  const frames = await Promise.all([a!, a2!, b!].map((peer) => peer.event('direct:message')))
  expect(frames[0]!.data).toMatchObject({ id: 'first', from: ann, to: bea, text: 'Hello', number: 1 })
  expect(new Set(frames.map((frame) => JSON.stringify(frame))).size).toBe(1)
  await world.read(bea, ann, 'first', 1)
  expect((await a!.event('message:read')).data).toEqual({ roomId: pairIdOf(ann, bea), upTo: 'first' })
  await b!.settled()
  expect(b!.events('message:read')).toEqual([])
})
