import { afterEach, beforeEach, expect, test } from 'vitest'
import { pairIdOf } from '../../../domain/shared/ids.ts'
import { START } from '../../../domain/shared/recorded.ts'
import { readRights, readRooms } from '../../../projections/view/relationships.ts'
import { until } from '../../support/until.ts'
import type { Person } from '../../support/world-people.ts'
import type { Peer } from '../peer.ts'
import { type Node, type Rig, sees, startRig } from './rig.ts'

let rig: Rig
beforeEach(async () => {
  rig = await startRig()
})
afterEach(() => rig.stop())

const room = (one: Person, other: Person) => pairIdOf(one.id, other.id)

/** Four members of whom Ann and Bea are matched; the match of Ann and Dan is in rows alone, which are ahead of the log. */
async function aheadOfTheLog() {
  const { world } = rig
  const [ann, bea, cat, dan] = [
    await world.member('Ann'),
    await world.member('Bea'),
    await world.member('Cat'),
    await world.member('Dan'),
  ]
  await world.match(ann, bea)
  await world.settled()
  const before = await world.core.log.head()
  await world.match(ann, dan)
  for (let number = 0; number < 30; number++) await world.edit(dan, { bio: `Number ${number}` })
  await world.settled()
  await rig.restartLog(before)
  return { ann, bea, cat, dan }
}

const joined = async (node: Node, who: Person, ...others: Person[]): Promise<Peer> => {
  const { peer } = await node.socketOf(who)
  for (const other of others) peer.send({ type: 'joinRoom', data: { roomId: room(who, other) } })
  await peer.settled()
  return peer
}

const heard = (peer: Peer) => peer.events('direct:message').map(({ data }) => data.text)
const accepted = (peer: Peer) => peer.frames.filter(({ type }) => type === 'ack').length

async function blocks(node: Node, by: Person, target: Person, peers: readonly Peer[]): Promise<void> {
  const had = peers.map((peer) => peer.events('room:closed').length)
  await node.block(by, target)
  await Promise.all(peers.map((peer, index) => peer.event('room:closed', had[index]! + 1)))
}

test('sockets have the rights of a log that was set back while old tables are ahead of it, and once new ones are there', async () => {
  const { ann, bea, cat } = await aheadOfTheLog()
  const release = await rig.hold('relations', 'accounts')
  const node = await rig.node()
  const [a, b] = [await joined(node, ann, bea), await joined(node, bea, ann)]
  expect(await sees(b, a, room(ann, bea))).toBe(true)

  await blocks(node, bea, ann, [a, b])
  expect(await sees(a, b, room(ann, bea))).toBe(false)

  const c = await joined(node, cat)
  await node.match(ann, cat)
  await node.sendMessage(cat, ann, 'While old tables are read')
  await a.event('direct:message')
  const [a2, c2] = [await joined(node, ann, cat), await joined(node, cat, ann)]
  expect(await sees(c, a2, room(ann, cat))).toBe(true)

  await release()
  await node.live()
  await node.sendMessage(cat, ann, 'Once new ones are')
  await a.event('direct:message', 2)
  expect(heard(a)).toEqual(['While old tables are read', 'Once new ones are'])
  const a3 = await joined(node, ann, bea, cat)
  expect(accepted(a3)).toBe(1)
  await blocks(node, cat, ann, [a, a2, a3, c, c2])
  expect(await sees(c2, a2, room(ann, cat))).toBe(false)
  expect(await sees(a2, c2, room(ann, cat))).toBe(false)
})

test('whoever is matched in rows alone that are ahead of the log is no match for sockets, and rows show nothing of it', async () => {
  const { ann, bea, dan } = await aheadOfTheLog()
  const release = await rig.hold('relations', 'accounts', 'conversations')
  const node = await rig.node()
  const { core } = node.product
  const rightsOf = (member: Person) => readRights(core.storage.read, core.log, { members: [member.id], accounts: [] })
  const roomsOf = async (member: Person) => {
    for await (const page of readRooms(core.storage.read, core.log, [member.id])) return page
    return null
  }
  const nothing = { relationsAt: START, accountsAt: START, matched: [], blocked: [], out: [dan.id] }
  expect(await rightsOf(dan)).toEqual(nothing)
  expect(await roomsOf(dan)).toEqual({ at: START, rooms: [] })
  const [a, d] = [await joined(node, ann, bea, dan), await joined(node, dan, ann)]
  expect([accepted(a), accepted(d)]).toEqual([1, 0])

  await release()
  await node.live()
  expect(await rightsOf(ann)).toMatchObject({ matched: [[ann.id, bea.id]], blocked: [], out: [] })
  expect(await roomsOf(bea)).toMatchObject({ rooms: [{ member: ann.id, other: bea.id }] })
  expect([accepted(await joined(node, ann, bea, dan)), accepted(await joined(node, dan, ann))]).toEqual([1, 0])
})

test('while only the accounts are of before a set-back, nobody whom their rows show as there counts as there', async () => {
  const { ann, bea } = await aheadOfTheLog()
  const release = await rig.hold('accounts')
  const { product } = await rig.node()
  const stateOf = (wanted: string) => product.projector!.status().find(({ name }) => name === wanted)!.state
  await until('the relations are of this log', () => stateOf('relations') === 'live')
  const { core } = product
  const { matched, out, accountsAt } = await readRights(core.storage.read, core.log, {
    members: [ann.id],
    accounts: [],
  })
  expect([matched, accountsAt]).toEqual([[[ann.id, bea.id]], START])
  expect([...out].sort()).toEqual([ann.id, bea.id].sort())
  await release()
})
