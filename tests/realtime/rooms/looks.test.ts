import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { type Position, START } from '../../../domain/shared/recorded.ts'
import type { RealtimeDeps } from '../../../realtime/deps.ts'
import { createLogSource } from '../../../realtime/log-source.ts'
import { CloseCode } from '../../../realtime/protocol.ts'
import { until } from '../../support/until.ts'
import { member, pairIdOf, startWorld, type TestNode, type World } from '../world.ts'
import { awayIn, closedIn, eraseIn, roomsAt } from './erased.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const erase = (...members: MemberId[]) => eraseIn(world, ...members)
const awayFrom = (name: string, gone?: number) => awayIn(world, name, gone)
const closedFor = (node: TestNode, me: MemberId, last: Position) => closedIn(world, node, me, last)

/** A log that counts what is read of its streams. */
function watched() {
  const source = createLogSource(world.log)
  const asked: string[] = []
  const watching: RealtimeDeps['source'] = {
    ...source,
    async read(stream, ...part) {
      asked.push(stream)
      return source.read(stream, ...part)
    },
  }
  return { source: watching, asked }
}
/** The same, each answer of which waits for `open`. */
const gated = (rooms: ReturnType<typeof roomsAt>) => {
  const { gate, open } = opening()
  const readRooms: RealtimeDeps['readRooms'] = async function* (others) {
    if (others.length === 0) return yield* rooms.readRooms(others)
    const pages = rooms.readRooms(others)[Symbol.asyncIterator]()
    const first = await pages.next()
    await gate
    if (!first.done) yield first.value
    yield* { [Symbol.asyncIterator]: () => pages }
  }
  return { ...rooms, readRooms, open }
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

test('what a read model does not show yet of an erased member’s rooms counts as the log has it', async () => {
  const { me, last } = await awayFrom('Cat')
  const [match, unmatched, blocked, late] = ['Match of Cat', 'Unmatched', 'Blocked', 'Late'].map(member) as [
    MemberId,
    MemberId,
    MemberId,
    MemberId,
  ]
  for (const who of [unmatched, blocked]) await world.match(who, match)
  const before = await world.log.head()
  await world.match(late, match)
  await world.unmatch(match, unmatched)
  await world.block(blocked, match)
  const from = await world.log.head()
  await erase(match)
  const rooms = roomsAt(before, [unmatched, match], [blocked, match], [me, match, from])
  const { source, asked } = watched()
  const node = await world.node({ source, readRooms: rooms.readRooms })
  asked.length = 0
  expect(await closedFor(node, me, last)).toEqual([pairIdOf(me, match)])
  expect(await closedFor(node, late, from)).toEqual([pairIdOf(late, match)])
  for (const who of [unmatched, blocked]) expect(await closedFor(node, who, from)).toEqual([])
  expect(asked).toEqual([`member-${match}`])
})

test('an erasure after a deactivation counts from where the account was erased', async () => {
  const { me, last } = await awayFrom('Cleo', 0)
  const [match, unmatched] = [member('Match of Cleo'), member('Unmatched from her')]
  await world.join(match)
  await world.match(unmatched, match)
  await world.account('Deactivate', match)
  const between = await world.log.head()
  await world.unmatch(unmatched, match)
  await world.account('EraseAccount', match)
  const node = await world.node({ readRooms: roomsAt(between, [me, match], [unmatched, match]).readRooms })
  // Of who unmatched in between that is the one closing.
  for (const who of [me, unmatched]) expect(await closedFor(node, who, last)).toEqual([pairIdOf(who, match)])
})

test('a look that takes long is waited for and not begun again, and holds up nobody who needs none', async () => {
  const people = [await awayFrom('Dan', 1), await awayFrom('Eve', 1)] as const
  const head = await world.log.head()
  const rooms = gated(roomsAt(head))
  const node = await world.node({ readRooms: rooms.readRooms, limits: { rightsWithinMs: 300 } })
  const of = people[0]
  for (const { me, last } of [of, of, people[1]]) {
    const peer = await world.peer(node, me, { last })
    expect(await peer.closed).toBe(CloseCode.drain)
  }
  const other = await world.peer(node, member('Hal'), { last: head })
  await other.next('heartbeat')
  expect(rooms.asked).toHaveLength(1)
  rooms.open()
  for (const { me, last } of people) expect(await closedFor(node, me, last)).toEqual([])
  expect(new Set(rooms.asked.flat()).size).toBe(rooms.asked.flat().length)
})

test('a look that fails sends away who waits for it, and is begun again', async () => {
  const { me, last } = await awayFrom('Ida', 1)
  const rooms = roomsAt(await world.log.head())
  let fails = false
  const readRooms: RealtimeDeps['readRooms'] = async function* (others) {
    if (fails) throw new Error('away')
    yield* rooms.readRooms(others)
  }
  const lines: string[] = []
  const node = await world.node({ readRooms, logLine: (line) => lines.push(line) })
  fails = true
  const peer = await world.peer(node, me, { last })
  expect(await peer.closed).toBe(CloseCode.drain)
  expect(lines).toEqual(['realtime: rooms of erased members could not be looked up: Error'])
  fails = false
  expect(await closedFor(node, me, last)).toEqual([])
})

test('who resumes again and again behind erasures asks nothing more, and spends nothing', async () => {
  const { me, last, strangers } = await awayFrom('Jan', 3)
  const rooms = roomsAt(await world.log.head())
  const node = await world.node({ readRooms: rooms.readRooms, limits: { replayBytesPerMinute: 0 } })
  for (let n = 0; n < 8; n++) expect(await closedFor(node, me, last)).toEqual([])
  expect(rooms.asked).toEqual([strangers])
})

test('of more rooms than a node keeps pages load again; those that nobody is answered from go first', async () => {
  const [lea, mia, one, two, three] = ['Lea', 'Mia', 'One', 'Two', 'Three'].map(member) as [
    MemberId,
    MemberId,
    MemberId,
    MemberId,
    MemberId,
  ]
  const last = await world.match(lea, one)
  await world.match(lea, two)
  for (const who of [lea, mia]) await world.match(who, three)
  const rooms = roomsAt(START, [lea, one], [lea, two], [lea, three], [mia, three], [member('Kim'), three])
  const node = await world.node({ readRooms: rooms.readRooms, limits: { erasuresLookedAt: 1, erasedRooms: 1 } })
  let from = last
  for (const gone of [one, two]) {
    await erase(gone)
    const head = await world.log.head()
    await until('the node knows', () => node.realtime.stats().head >= head)
    expect(await closedFor(node, lea, from)).toEqual([pairIdOf(lea, gone)])
    from = head
  }
  await erase(three)
  const peer = await world.peer(node, mia, { last: from })
  expect((await peer.next('resync')).reason).toBe('too-much')
  peer.send({ type: 'resume', last: await world.log.head(), epoch: await createLogSource(world.log).epoch() })
  await peer.next('heartbeat')
  expect(rooms.asked).toEqual([[one], [two], [three]])
  // Beyond what is kept it reads no more.
  expect(rooms.read).toEqual([lea, lea, lea, mia])
})

test('from before what the node remembers a page loads again without a look', async () => {
  const { me } = await awayFrom('Kim', 2)
  const { source, asked } = watched()
  const node = await world.node({ source, limits: { startEvents: 0, fillEvents: 0, ringMs: 0, absences: 1 } })
  await erase(member('Gone last for Kim'))
  await until('the node knows', async () => node.realtime.stats().head >= (await world.log.head()))
  asked.length = 0
  const peer = await world.peer(node, me, { last: START })
  expect((await peer.next('resync')).reason).toBe('gap')
  expect(asked).toEqual([])
})

test('all who come back behind an erasure share one question, and each hears of their own room alone', async () => {
  const [hal, ian, joy, kai] = ['Hal', 'Ian', 'Joy', 'Kai'].map(member) as [MemberId, MemberId, MemberId, MemberId]
  await world.match(hal, kai)
  const last = await world.match(ian, joy)
  await erase(kai)
  const { source, asked } = watched()
  const rooms = roomsAt(await world.log.head(), [hal, kai])
  const node = await world.node({ source, readRooms: rooms.readRooms })
  asked.length = 0
  const heard = await Promise.all([hal, ian, joy, hal, ian].map((who) => closedFor(node, who, last)))
  expect(heard).toEqual([[pairIdOf(hal, kai)], [], [], [pairIdOf(hal, kai)], []])
  expect(await closedFor(node, joy, last)).toEqual([])
  expect(rooms.asked).toHaveLength(1)
  expect(asked).toEqual([`member-${kai}`])
})
