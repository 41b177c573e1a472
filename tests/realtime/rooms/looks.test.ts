import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { type Position, START } from '../../../domain/shared/recorded.ts'
import type { RealtimeDeps } from '../../../realtime/deps.ts'
import { createLogSource } from '../../../realtime/log-source.ts'
import { until } from '../../support/until.ts'
import { member, pairIdOf, startWorld, type TestNode, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const erase = async (...members: MemberId[]) => {
  for (const who of members) {
    await world.join(who)
    await world.account('EraseAccount', who)
  }
}
/** Who resumes, and members whom nobody has to do with and who are erased since. */
async function awayFrom(name: string, gone = 3) {
  const me = member(name)
  const last = await world.match(me, member(`Match of ${name}`))
  const strangers = Array.from({ length: gone }, (_, n) => member(`Gone ${n} for ${name}`))
  await erase(...strangers)
  return { me, last, strangers }
}

/** A log that counts what is read of its streams; the first look of each waits for `open`. */
function watched(gate: Promise<void> = Promise.resolve()) {
  const source = createLogSource(world.log)
  const asked: string[] = []
  const watching: RealtimeDeps['source'] = {
    ...source,
    async read(stream, ...part) {
      asked.push(stream)
      return source.read(stream, ...part)
    },
    async lastRevision(stream) {
      asked.push(stream)
      await gate
      return source.lastRevision(stream)
    },
  }
  return { source: watching, asked }
}
/** The rooms of the read model, as of a position. */
const roomsAt = (at: Position, ...rooms: (readonly [MemberId, MemberId])[]) => {
  const asked: (readonly MemberId[])[] = []
  const readRooms: RealtimeDeps['readRooms'] = async (me, others) => {
    asked.push(others)
    return { at, others: rooms.flatMap(([one, other]) => (one === me ? [other] : [])) }
  }
  return { readRooms, asked }
}
async function closedFor(node: TestNode, me: MemberId, last: Position) {
  const peer = await world.peer(node, me, { last })
  await peer.next('heartbeat')
  await peer.settled()
  peer.ws.terminate()
  return peer.events('room:closed').map(({ data }) => data.roomId)
}
const opening = () => {
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  return { gate, open: () => open() }
}

test('erasures that are not a member’s cost one question to the read model, and none to the log', async () => {
  const { me, last, strangers } = await awayFrom('Ann')
  const { source, asked } = watched()
  const rooms = roomsAt(await world.log.head())
  const node = await world.node({ source, readRooms: rooms.readRooms })
  asked.length = 0
  expect(await closedFor(node, me, last)).toEqual([])
  expect(asked).toEqual([])
  expect(rooms.asked.map((others) => [...others].sort())).toEqual([[...strangers].sort()])
})

test('a room that the read model shows closes by the erasure of the other', async () => {
  const { me, last } = await awayFrom('Bea')
  const match = member('Match of Bea')
  await erase(match)
  const { source, asked } = watched()
  const node = await world.node({ source, readRooms: roomsAt(await world.log.head(), [me, match]).readRooms })
  asked.length = 0
  for (const _ of [1, 2]) expect(await closedFor(node, me, last)).toEqual([pairIdOf(me, match)])
  // Whether the account was there before is the same for all, and looked up once.
  expect(asked).toEqual([`member-${match}`])
})

test('a read model that is not as far as an erasure is not asked of it: the log is', async () => {
  const { me, last } = await awayFrom('Cat')
  const match = member('Match of Cat')
  const before = await world.log.head()
  await erase(match)
  const { source, asked } = watched()
  const node = await world.node({ source, readRooms: roomsAt(before).readRooms })
  asked.length = 0
  expect(await closedFor(node, me, last)).toEqual([pairIdOf(me, match)])
  expect(new Set(asked)).toEqual(new Set([`pair-${pairIdOf(me, match)}`, `member-${match}`]))
})

test('an erasure after a deactivation counts from where the account was erased', async () => {
  const { me, last } = await awayFrom('Cleo', 0)
  const match = member('Match of Cleo')
  await world.join(match)
  await world.account('Deactivate', match)
  const between = await world.log.head()
  await world.account('EraseAccount', match)
  const node = await world.node({ readRooms: roomsAt(between).readRooms })
  expect(await closedFor(node, me, last)).toEqual([pairIdOf(me, match)])
})

test('one socket of a member looks at a time, and of a node so many', async () => {
  const names = ['Dan', 'Eve', 'Fay', 'Gus']
  const people: Awaited<ReturnType<typeof awayFrom>>[] = []
  for (const name of names) people.push(await awayFrom(name, 1))
  const of = people[0]!
  const { gate, open } = opening()
  const { source, asked } = watched(gate)
  const node = await world.node({ source, limits: { looksAtOnce: 3 } })
  const head = await world.log.head()
  asked.length = 0
  const looking = () => people.filter(({ me }) => asked.some((stream) => stream.includes(me)))
  const sockets = []
  for (const { me, last } of [of, of, of, ...people.slice(1)]) sockets.push(await world.peer(node, me, { last }))
  await until('three look', () => looking().length >= 3)
  // Another's socket that has nothing to look at does not wait for them.
  const other = await world.peer(node, member('Hal'), { last: head })
  await other.next('heartbeat')
  expect(looking()).toHaveLength(3)
  // Each look asks for each of the erasures once.
  expect(new Set(asked).size).toBe(asked.length)
  open()
  for (const socket of sockets) await socket.next('heartbeat')
})

test('a socket that is gone before its turn does not look', async () => {
  const { me, last } = await awayFrom('Ida', 1)
  const { gate, open } = opening()
  const { source, asked } = watched(gate)
  const node = await world.node({ source })
  asked.length = 0
  const [first, second] = [await world.peer(node, me, { last }), await world.peer(node, me, { last })]
  await until('one looks', () => asked.length > 0)
  second.ws.terminate()
  await until('it is gone', () => node.realtime.stats().sockets === 1)
  open()
  await first.next('heartbeat')
  expect(await closedFor(node, me, await world.log.head())).toEqual([])
  expect(asked.length).toBe(1)
})

test('a look counts for its member, the first of a socket too: beyond so many a page loads again', async () => {
  const { me, last } = await awayFrom('Jan', 1)
  const rooms = roomsAt(await world.log.head())
  const limits = { replayBytesPerMinute: 2_000, lookBytes: 1_000 }
  const node = await world.node({ readRooms: rooms.readRooms, limits })
  for (const _ of [1, 2]) expect(await closedFor(node, me, last)).toEqual([])
  const third = await world.peer(node, me, { last })
  expect((await third.next('resync')).reason).toBe('too-much')
  expect(rooms.asked).toHaveLength(2)
  // What needs no look is not charged: the page goes on from where it has loaded.
  third.send({ type: 'resume', last: await world.log.head(), epoch: await createLogSource(world.log).epoch() })
  await third.next('heartbeat')
})

test('from before what the node remembers a page loads again without a look', async () => {
  const { me } = await awayFrom('Kim', 2)
  const { source, asked } = watched()
  const node = await world.node({ source, limits: { fillEvents: 0, ringMs: 0, absences: 1 } })
  await erase(member('Gone last for Kim'))
  await until('the node knows', async () => node.realtime.stats().head >= (await world.log.head()))
  asked.length = 0
  const peer = await world.peer(node, me, { last: START })
  expect((await peer.next('resync')).reason).toBe('gap')
  expect(asked).toEqual([])
})
