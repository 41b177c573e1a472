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
  for (let number = 0; number < 15; number++) await world.edit(dan, { bio: `Number ${number}` })
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

test('sockets have the rights of a log that was set back, and of what came while its read models were filled', async () => {
  const { ann, bea, cat } = await aheadOfTheLog()
  const release = await rig.hold('relations', 'accounts')
  const node = await rig.node()
  await node.match(ann, cat)
  await node.block(bea, ann)
  await node.sendMessage(cat, ann, 'While old tables are there')
  await release()

  const [a, c] = [await joined(node, ann, bea, cat), await joined(node, cat, ann)]
  expect([accepted(a), accepted(c)]).toEqual([1, 1])
  expect(await sees(c, a, room(ann, cat))).toBe(true)
  await node.sendMessage(cat, ann, 'Once new ones are')
  await a.event('direct:message')
  expect(heard(a)).toEqual(['Once new ones are'])
  await blocks(node, cat, ann, [a, c])
  expect(await sees(c, a, room(ann, cat))).toBe(false)
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
