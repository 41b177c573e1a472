import { expect, onTestFinished, test } from 'vitest'
import { type BusMessage, createLocalBus } from '../../realtime/bus.ts'
import { Presence } from '../../realtime/presence.ts'
import { watchPresence } from '../../realtime/presence-watch.ts'
import { until } from '../support/until.ts'
import { member } from './world.ts'

const people = Array.from({ length: 400 }, (_, index) => member(`crowd ${index}`))

/** A node with a crowd, a process that watches it, and between them a bus that loses the messages a test picks. */
async function crowd() {
  const bus = createLocalBus()
  let lost: (message: BusMessage) => boolean = () => false
  const watcher = watchPresence({
    ...bus,
    join: (listener) => bus.join((message) => lost(message) || listener(message)),
  })
  const deps = { node: 'crowded', offlineAfterMs: 0, shows: async () => true, changed: () => undefined }
  const presence = new Presence(deps)
  const seat = bus.join((message) => message.type !== 'typing' && presence.hear(message))
  presence.start(seat)
  const asking = bus.join(() => undefined)
  onTestFinished(() => {
    watcher.stop()
    presence.stop()
  })
  for (const one of people) presence.moved(one, true)
  await until('all are online', () => people.every((one) => presence.isOnline(one)))
  return {
    presence,
    watcher,
    lose: (which: (message: BusMessage) => boolean) => {
      lost = which
    },
    /** Has the node announce once more who is online. */
    announce: () => asking.send({ type: 'hello', node: 'asking' }),
    shown: () => people.filter((one) => watcher.isOnline(one)).length,
  }
}

test('who left while the bus was away is offline with the next whole turn', async () => {
  const { presence, lose, announce, shown, watcher } = await crowd()
  await until('all are shown', () => shown() === people.length)
  lose(() => true)
  presence.moved(people[0]!, false)
  await until('one is gone', () => !presence.isOnline(people[0]!))
  expect(shown()).toBe(people.length)
  lose(() => false)
  announce()
  expect(watcher.isOnline(people[0]!)).toBe(false)
  expect(shown()).toBe(people.length - 1)
})

test('a turn of which a part is lost sends nobody away', async () => {
  const { lose, announce, shown } = await crowd()
  await until('all are shown', () => shown() === people.length)
  let parts = 0
  lose((message) => message.type === 'online' && message.node === 'crowded' && ++parts === 2)
  announce()
  expect(parts).toBe(3)
  expect(shown()).toBe(people.length)
})
