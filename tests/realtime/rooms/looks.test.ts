import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { type Position, START } from '../../../domain/shared/recorded.ts'
import type { RealtimeDeps } from '../../../realtime/deps.ts'
import { createLogSource } from '../../../realtime/log-source.ts'
import { CloseCode } from '../../../realtime/protocol.ts'
import { until } from '../../support/until.ts'
import { member, pairIdOf, startWorld, storedRights, type TestNode, type World } from '../world.ts'

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
/** The rooms of the read model, as of a position; each is a page, which may have a position of its own. */
const roomsAt = (at: Position, ...rooms: (readonly [MemberId, MemberId, Position?])[]) => {
  const read: MemberId[] = []
  const asked: (readonly MemberId[])[] = []
  const readRooms: RealtimeDeps['readRooms'] = async function* (others) {
    if (others.length > 0) asked.push(others)
    for (const [member, other, own] of rooms) {
      if (!others.includes(other)) continue
      read.push(member)
      yield { at: own ?? at, rooms: [{ member, other }] }
    }
    yield { at, rooms: [] }
  }
  return { readRooms, asked, read }
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

test('a node that starts before the rooms have come as far as it begins where they are', async () => {
  const [ann, bea, cat] = ['Ann behind', 'Bea behind', 'Cat behind'].map(member) as [MemberId, MemberId, MemberId]
  await world.match(ann, cat)
  const behind = await world.log.head()
  await world.match(ann, bea)
  await world.unmatch(cat, ann)
  const position = await world.log.head()
  const rooms = roomsAt(behind, [ann, cat])
  const limits = { fillEvents: 0, ringMs: 0 }
  const node = await world.node({ readRights: storedRights({ position }), readRooms: rooms.readRooms, limits })
  await erase(bea, cat)
  await until('the node knows', async () => node.realtime.stats().head >= (await world.log.head()))
  expect(await closedFor(node, ann, position)).toEqual([pairIdOf(ann, bea)])
})

test('no node reads for long because of rooms that are far behind', async () => {
  await awayFrom('Cory', 1)
  const position = await world.log.head()
  const source = createLogSource(world.log)
  const from: Position[] = []
  const follow: typeof source.follow = (after, signal) => {
    from.push(after)
    return source.follow(after, signal)
  }
  const readRooms = roomsAt(START).readRooms
  const limits = { fillEvents: 0, ringMs: 0, roomsEvents: 3 }
  const deps = { source: { ...source, follow }, readRights: storedRights({ position }), readRooms }
  await world.node({ ...deps, limits })
  await world.node({ ...deps, limits: { ...limits, roomsEvents: 100_000 } })
  expect(from).toEqual([position, START])
})

test('where the rooms are from before what a node remembers pages load again, as their first page decides', async () => {
  const { me, last } = await awayFrom('Cora', 1)
  const other = await awayFrom('Cosi', 1)
  const position = await world.log.head()
  let at = START
  const read: unknown[] = []
  const readRooms: RealtimeDeps['readRooms'] = async function* (others) {
    for (const page of [1, 2, 3]) {
      if (others.length > 0) read.push(page)
      yield { at, rooms: [] }
    }
  }
  const lines: string[] = []
  const limits = { fillEvents: 2_000, rightsChanges: 1, roomsAgainMs: 600_000 }
  const deps = { readRights: storedRights({ position }), readRooms, logLine: (line: string) => lines.push(line) }
  const node = await world.node({ ...deps, limits })
  for (const one of [{ me, last }, other, { me, last }]) {
    const peer = await world.peer(node, one.me, { last: one.last })
    expect((await peer.next('resync')).reason).toBe('gap')
  }
  expect(read).toEqual([1])
  expect(lines).toEqual(['realtime: rooms of erased members are too far behind: pages load again'])
  const again = await world.node({ ...deps, limits: { ...limits, roomsAgainMs: 1 } })
  const answered = async () => {
    const peer = await world.peer(again, me, { last })
    return until('an answer', () => peer.frames.find(({ type }) => type === 'resync' || type === 'heartbeat'))
  }
  expect(await answered()).toMatchObject({ type: 'resync', reason: 'gap' })
  at = position
  await until('the rooms are asked for again', async () => (await answered()).type === 'heartbeat')
  expect(read.slice(-3)).toEqual([1, 2, 3])
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
  const node = await world.node({ source, limits: { fillEvents: 0, ringMs: 0, absences: 1 } })
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
