import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InboxCommand } from '../../../domain/inbox/commands.ts'
import { inboxDecider } from '../../../domain/inbox/decider.ts'
import { type MemberId, NotificationId, pairIdOf } from '../../../domain/shared/ids.ts'
import { START } from '../../../domain/shared/recorded.ts'
import { idFrom } from '../../../eventstore/ids.ts'
import { createLogSource } from '../../../realtime/log-source.ts'
import { as } from '../../eventstore/rig.ts'
import { until } from '../../support/until.ts'
import { member, startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const people = (...names: string[]) => names.map((name) => member(name)) as [MemberId, MemberId]
const notification = (name: string) => NotificationId.parse(idFrom('notification', name))

/** Reads or removes in the member's notifications centre; answers where in the log. */
async function inInbox(who: MemberId, command: Pick<InboxCommand, 'type'> & Record<string, unknown>) {
  const whole = { ...command, member: who, at: new Date() } as InboxCommand
  const outcome = await world.dispatch(inboxDecider, whole, as(who))
  if (!outcome.ok) throw new Error('refused')
  return outcome.position
}

test('messages that were read are noted on all sockets of the reader, on each node, and on none of the other', async () => {
  const [ann, bea] = people('Ann 1', 'Bea 1')
  await world.match(ann, bea)
  await world.sendMessage(ann, bea, 'Hello', 'first')
  const [one, another] = [await world.node(), await world.node()]
  const readers = await Promise.all([one, one, another].map((node) => world.peer(node, bea)))
  const sender = await world.peer(one, ann)
  await world.read(bea, ann, 'first', 1)
  for (const reader of readers)
    expect((await reader.event('unread:changed')).data, 'which names no room').toEqual({ of: 'messages' })
  expect((await sender.event('message:read')).data.roomId).toBe(pairIdOf(ann, bea))
  await Promise.all([...readers, sender].map((peer) => peer.settled()))
  expect(readers.map((reader) => reader.events('unread:changed').length)).toEqual([1, 1, 1])
  expect(sender.events('unread:changed')).toEqual([])
})

test('a notification that was read or removed is noted once on the own sockets alone', async () => {
  const [cat, dan] = people('Cat 2', 'Dan 2')
  const node = await world.node()
  const [own, others] = [await world.peer(node, cat), await world.peer(node, dan)]
  await inInbox(cat, { type: 'ReadNotification', notification: notification('a') })
  await inInbox(cat, { type: 'RemoveNotification', notification: notification('a') })
  await own.event('unread:changed', 2)
  await Promise.all([own.settled(), others.settled()])
  expect(own.events().map(({ data }) => data)).toEqual([{ of: 'notifications' }, { of: 'notifications' }])
  expect(new Set(own.events().map(({ id }) => id)).size).toBe(2)
  expect(others.events()).toEqual([])
})

test('however many were read at once, one small frame says so', async () => {
  const [eve] = people('Eve 3')
  const own = await world.peer(await world.node(), eve)
  const notifications = Array.from({ length: 200 }, (_, nth) => notification(`of ${nth}`))
  await inInbox(eve, { type: 'ReadAllNotifications', upTo: START, notifications })
  await own.event('unread:changed')
  await own.settled()
  expect(own.events()).toHaveLength(1)
  expect(JSON.stringify(own.events()[0]).length).toBeLessThan(300)
})

test('a socket that was away hears of it when it resumes, also from a node that started later', async () => {
  const [fay] = people('Fay 4')
  const node = await world.node()
  const read = (name: string) => inInbox(fay, { type: 'ReadNotification', notification: notification(name) })
  const seen = await read('before')
  const missed = await read('while away')
  const epoch = await createLogSource(world.log).epoch()
  for (const here of [node, await world.node()]) {
    const again = await world.peer(here, fay, { last: seen, epoch })
    expect((await again.event('unread:changed')).pos).toBe(missed)
    await again.settled()
    expect(again.events()).toHaveLength(1)
  }
})

test('a buzz that is taken back is noted by whom it was for, and by nobody else', async () => {
  const [gil, hal, ida] = ['Gil 5', 'Hal 5', 'Ida 5'].map((name) => member(name)) as [MemberId, MemberId, MemberId]
  const node = await world.node()
  const peers = await Promise.all([gil, hal, ida].map((who) => world.peer(node, who)))
  await world.buzz(gil, hal)
  await peers[1]!.event('notification')
  await world.withdraw(gil, hal)
  expect((await peers[1]!.event('unread:changed')).data, 'which names nobody').toEqual({ of: 'notifications' })
  await Promise.all(peers.map((peer) => peer.settled()))
  expect(peers.map((peer) => peer.events().map(({ name }) => name))).toEqual([
    [],
    ['notification', 'unread:changed'],
    [],
  ])
})

test('who blocked learns nothing of a buzz that is taken back since', async () => {
  const [jan, kim] = people('Jan 6', 'Kim 6')
  const node = await world.node()
  await world.buzz(jan, kim)
  const peer = await world.peer(node, kim)
  await world.block(kim, jan)
  await peer.event('unread:changed')
  const position = await world.withdraw(jan, kim)
  await until('the node knows', () => node.realtime.stats().head >= position)
  await peer.settled()
  expect(peer.events('unread:changed')).toHaveLength(1)
})

test('a block of who was never matched is noted on all sockets of whoever blocks, and on none of the other', async () => {
  const [lea, max] = people('Lea 7', 'Max 7')
  const [one, another] = [await world.node(), await world.node()]
  await world.buzz(lea, max)
  const own = await Promise.all([one, another].map((node) => world.peer(node, max)))
  const other = await world.peer(one, lea)
  await world.block(max, lea)
  for (const peer of own)
    expect((await peer.event('unread:changed')).data, 'which names nobody').toEqual({ of: 'notifications' })
  await Promise.all([...own, other].map((peer) => peer.settled()))
  expect(own.map((peer) => peer.events('unread:changed').length)).toEqual([1, 1])
  expect(other.events()).toEqual([])
})
