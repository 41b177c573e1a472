import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MemberId, membersOf } from '../../../domain/shared/ids.ts'
import type { Position } from '../../../domain/shared/recorded.ts'
import { until } from '../../support/until.ts'
import { member, pairIdOf, startWorld, storedRights, type TestNode, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
const people = (...names: string[]) => names.map((name) => member(name)) as [MemberId, MemberId, MemberId, MemberId]
const reaches = (node: TestNode, position: Position) =>
  until('the node knows', () => node.realtime.stats().head >= position)

const ENDS = ['Deactivate', 'Suspend', 'EraseAccount'] as const
type End = (typeof ENDS)[number]
const ended = (end: End, who: MemberId) => (end === 'Suspend' ? world.suspend(who) : world.account(end, who))

/** What a member hears who missed all after `last`. */
async function heard(node: TestNode, who: MemberId, last: Position) {
  const peer = await world.peer(node, who, { last })
  await peer.next('heartbeat')
  await peer.settled()
  peer.ws.terminate()
  return peer.events()
}

test.each(ENDS)(
  'the end of an account (%s) reads the same as a block to a match who missed it, wherever they come back',
  async (end) => {
    const [ann, bea, cat, dan] = people(`Ann ${end}`, `Bea ${end}`, `Cat ${end}`, `Dan ${end}`)
    for (const who of [bea, dan]) await world.join(who)
    const node = await world.node({ limits: { rightsIdle: 0 } })
    await world.match(ann, bea)
    await world.sendMessage(bea, ann, 'hello')
    await world.buzz(dan, ann)
    const last = await world.match(ann, cat)
    const here = await world.peer(node, ann, { last })
    here.ws.close()
    await until('she is forgotten', () => node.realtime.stats().rightsMembers === 0)
    await world.sendMessage(bea, ann, 'never shown')
    await world.block(cat, ann)
    await ended(end, dan)
    await ended(end, bea)
    const position = await world.log.head()
    await reaches(node, position)
    const rows =
      end === 'EraseAccount'
        ? { blocked: [[cat, ann]] as const }
        : { blocked: [[cat, ann]] as const, matched: [membersOf(pairIdOf(ann, bea))], out: [bea, dan] }
    const later = await world.node({ readRights: storedRights({ position, ...rows }) })
    for (const at of [node, await world.node(), later]) {
      const events = await heard(at, ann, last)
      expect(events.map(({ name, data }) => ({ name, data }))).toEqual([
        { name: 'room:closed', data: { roomId: pairIdOf(ann, cat) } },
        { name: 'room:closed', data: { roomId: pairIdOf(ann, bea) } },
      ])
      const [blocked, away] = events
      expect(Object.keys(away!).sort()).toEqual(Object.keys(blocked!).sort())
      expect(new Set(events.map(({ pos }) => pos.length)).size).toBe(1)
    }
    // Once more from behind it: she knows.
    expect(await heard(node, ann, position)).toEqual([])
  },
)

test.each(ENDS)('of an account that ends (%s) those hear nothing who had no room with it any more', async (end) => {
  const [ann, bea, cat, dan] = people(`Ann n ${end}`, `Bea n ${end}`, `Cat n ${end}`, `Dan n ${end}`)
  await world.join(bea)
  for (const who of [ann, cat]) await world.match(who, bea)
  await world.buzz(bea, dan)
  await world.unmatch(ann, bea)
  const last = await world.block(bea, cat)
  const node = await world.node()
  await ended(end, bea)
  await reaches(node, await world.log.head())
  for (const who of [ann, cat, dan]) expect(await heard(node, who, last)).toEqual([])
})

test.each(['Suspend', 'EraseAccount'] as const)(
  'a room closes once: %s after a deactivation is no news',
  async (end) => {
    const [ann, bea, cat] = people(`Ann o ${end}`, `Bea o ${end}`, `Cat o ${end}`)
    await world.join(bea)
    const from = await world.match(ann, bea)
    const node = await world.node()
    const live = await world.peer(node, ann)
    await world.account('Deactivate', bea)
    const { pos, id } = await live.event('room:closed')
    const young = await world.node({ limits: { startEvents: 0, fillEvents: 0, ringMs: 0 } })
    await ended(end, bea)
    await world.match(cat, ann)
    await live.event('match')
    expect(live.events('room:closed')).toHaveLength(1)
    for (const at of [node, await world.node()]) {
      expect((await heard(at, ann, from)).filter(({ name }) => name === 'room:closed')).toMatchObject([{ pos, id }])
    }
    for (const at of [node, young])
      expect((await heard(at, ann, pos as Position)).filter(({ name }) => name === 'room:closed')).toEqual([])
  },
)

test('whose match is back by then misses nothing', async () => {
  const [ann, bea] = people('Ann back', 'Bea back')
  await world.join(bea)
  const last = await world.match(ann, bea)
  const node = await world.node()
  await world.account('Deactivate', bea)
  await world.account('Reactivate', bea)
  await reaches(node, await world.log.head())
  expect(await heard(node, ann, last)).toEqual([])
})

test('more erasures than are looked at ask for a reload, and the log is not asked about each', async () => {
  const [ann] = people('Ann many')
  const last = await world.match(ann, member('Bea many'))
  for (const n of [1, 2, 3]) {
    await world.join(member(`Gone ${n}`))
    await world.account('EraseAccount', member(`Gone ${n}`))
  }
  const node = await world.node({ limits: { erasuresLookedAt: 2 } })
  const peer = await world.peer(node, ann, { last })
  expect((await peer.next('resync')).reason).toBe('too-much')
})

test('a node that remembers too many ends of accounts asks for a reload from before them', async () => {
  const [ann, bea] = people('Ann mem', 'Bea mem')
  await world.join(bea)
  const last = await world.match(ann, bea)
  const node = await world.node({ limits: { absences: 2 } })
  for (const n of [1, 2, 3]) {
    await world.join(member(`Away ${n}`))
    await world.account('Deactivate', member(`Away ${n}`))
  }
  await reaches(node, await world.log.head())
  const peer = await world.peer(node, ann, { last })
  expect((await peer.next('resync')).reason).toBe('gap')
})

test('an end that is on its way to a member comes once to a page that resumes meanwhile', async () => {
  const [ann, bea, cat] = people('Ann way', 'Bea way', 'Cat way')
  await world.join(bea)
  const last = await world.match(ann, bea)
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const namesOf = (members: readonly MemberId[]) => gate.then(() => new Map(members.map((who) => [who, 'Name'])))
  const node = await world.node({ namesOf })
  const live = await world.peer(node, ann, { last })
  await world.buzz(cat, ann)
  await world.account('Deactivate', bea)
  await reaches(node, await world.log.head())
  const again = await world.peer(node, ann, { last })
  await again.next('heartbeat')
  open()
  for (const peer of [live, again]) {
    await peer.event('room:closed')
    await peer.settled()
    expect(peer.events().map(({ name }) => name)).toEqual(['notification', 'room:closed'])
  }
})
