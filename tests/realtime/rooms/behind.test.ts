import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { type Position, START } from '../../../domain/shared/recorded.ts'
import type { RealtimeDeps } from '../../../realtime/deps.ts'
import { createLogSource } from '../../../realtime/log-source.ts'
import { until } from '../../support/until.ts'
import { member, pairIdOf, startWorld, storedRights, type World } from '../world.ts'
import { awayIn, closedIn, eraseIn, roomsAt } from './erased.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

test('a node that starts before the rooms have come as far as it begins where they are', async () => {
  const [ann, bea, cat] = ['Ann behind', 'Bea behind', 'Cat behind'].map(member) as [MemberId, MemberId, MemberId]
  await world.match(ann, cat)
  const behind = await world.log.head()
  await world.match(ann, bea)
  await world.unmatch(cat, ann)
  const position = await world.log.head()
  const rooms = roomsAt(behind, [ann, cat])
  const limits = { startEvents: 0, fillEvents: 0, ringMs: 0 }
  const node = await world.node({ readRights: storedRights({ position }), readRooms: rooms.readRooms, limits })
  await eraseIn(world, bea, cat)
  await until('the node knows', async () => node.realtime.stats().head >= (await world.log.head()))
  expect(await closedIn(world, node, ann, position)).toEqual([pairIdOf(ann, bea)])
})

test('no node reads for long because of rooms that are far behind', async () => {
  await awayIn(world, 'Cory', 1)
  const position = await world.log.head()
  const source = createLogSource(world.log)
  const from: Position[] = []
  const follow: typeof source.follow = (after, signal) => {
    from.push(after)
    return source.follow(after, signal)
  }
  const readRooms = roomsAt(START).readRooms
  const limits = { startEvents: 0, fillEvents: 0, ringMs: 0, roomsEvents: 3 }
  const deps = { source: { ...source, follow }, readRights: storedRights({ position }), readRooms }
  await world.node({ ...deps, limits })
  await world.node({ ...deps, limits: { ...limits, roomsEvents: 100_000 } })
  expect(from).toEqual([position, START])
})

test('where the rooms are from before what a node remembers pages load again, as their first page decides', async () => {
  const { me, last } = await awayIn(world, 'Cora', 1)
  const other = await awayIn(world, 'Cosi', 1)
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
