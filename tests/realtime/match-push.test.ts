import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberId } from '../../domain/shared/ids.ts'
import { START } from '../../domain/shared/recorded.ts'
import { idFrom } from '../../eventstore/ids.ts'
import { createLogSource } from '../../realtime/log-source.ts'
import { until } from '../support/until.ts'
import { member, pairIdOf, startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
const epochOf = () => createLogSource(world.log).epoch()

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
  const own = await until('the same for who answered', () =>
    b!.events('notification').find((event) => event.data.type === 'match'),
  )
  expect(own.data).toMatchObject({ fromId: ann, read: true })
  await c!.settled()
  expect(c!.events()).toEqual([])
})

test('a buzz back is one notification to each, and the ids pushed are those of the notifications centre', async () => {
  for (const via of ['discover', 'microbuzz'] as const) {
    const [ann, bea] = ['Ann', 'Bea'].map((name) => member(`${name} ${via}`)) as [MemberId, MemberId]
    await world.buzz(ann, bea)
    const node = await world.node()
    const [a, b] = await Promise.all([ann, bea].map((who) => world.peer(node, who)))
    await world.buzz(bea, ann, via)
    await Promise.all([a!.event('match'), b!.event('match')])
    await Promise.all([a!.settled(), b!.settled()])
    expect(a!.events().map(({ name }) => name)).toEqual(['match', 'notification'])
    const matched = (await world.log.read(`pair-${pairIdOf(ann, bea)}`)).find(({ type }) => type === 'Matched')!
    expect(a!.events('notification').map(({ id, data }) => [id, data.type])).toEqual([
      [idFrom(matched.id, ann), 'match'],
    ])
    const late = await world.peer(node, ann, { last: START, epoch: await epochOf() })
    await late.event('match')
    expect(late.events('notification').map(({ data }) => data.type)).toEqual(['match'])
  }
})

test('a node that gets the events one by one pushes the same', async () => {
  const [ann, bea] = ['Ann', 'Bea'].map((name) => member(`${name} alone`)) as [MemberId, MemberId]
  const source = createLogSource(world.log)
  const node = await world.node({
    source: {
      ...source,
      async *follow(after, signal) {
        for await (const batch of source.follow(after, signal)) for (const event of batch) yield [event]
      },
    },
  })
  const a = await world.peer(node, ann)
  await world.match(ann, bea)
  await a.event('match')
  await a.settled()
  expect(a.events('notification').map(({ data }) => data.type)).toEqual(['match'])
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
