import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Position } from '../../../domain/shared/recorded.ts'
import type { Person } from '../../support/world-people.ts'
import { type Node, type Rig, rolesBut, startRig } from './rig.ts'

let rig: Rig
beforeEach(async () => {
  rig = await startRig()
})
afterEach(() => rig.stop())

const withProjector = rolesBut('reactors')
const withoutOne = rolesBut('reactors', 'projector')

/** Two who are matched; and where the log ended before one wrote to the other, who has seen it. */
async function written() {
  const { world } = rig
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  const before = await world.core.log.head()
  const node = await rig.node(withoutOne)
  const { peer, epoch } = await node.socketOf(bea)
  await writes(node, ann, bea, 'Gone', 5)
  const { pos: last } = await peer.event('direct:message', 5)
  await world.settled()
  return { ann, bea, before, last: last as Position, epoch }
}

async function writes(node: Node, from: Person, to: Person, text: string, times: number): Promise<void> {
  for (let number = 1; number <= times; number++) await node.sendMessage(from, to, `${text} ${number}`)
  await node.reached()
}

const answerTo = async (node: Node, who: Person, from: { last: Position; epoch?: string }) => {
  const { peer } = await node.socketOf(who, from)
  const resync = peer.frames.find(({ type }) => type === 'resync')
  return resync ?? peer.events('direct:message').map(({ data }) => data.text)
}

test.each([
  ['with a projector', withProjector],
  ['without one', withoutOne],
])('a socket loads again at a node %s in a log that was set back and has grown past it', async (_, roles) => {
  const { ann, bea, before, last, epoch } = await written()
  await rig.restartLog(before)
  const node = await rig.node(roles)
  if (!node.product.projector) await rig.node(withProjector)
  await writes(node, ann, bea, 'New', 8)
  expect((await node.product.core.log.head()) > last).toBe(true)
  expect(await answerTo(node, bea, { last, epoch })).toEqual({ type: 'resync', reason: 'epoch' })
})

test('a socket that names no epoch loads again in a log that was set back, and goes on in one that was not', async () => {
  const { ann, bea, before, last } = await written()
  await rig.restartLog()
  const same = await rig.node(withoutOne)
  await writes(same, ann, bea, 'Kept', 1)
  expect(await answerTo(same, bea, { last })).toEqual(['Kept 1'])
  await rig.restartLog(before)
  const node = await rig.node(withProjector)
  await writes(node, ann, bea, 'New', 8)
  expect(await answerTo(node, bea, { last })).toEqual({ type: 'resync', reason: 'epoch' })
  const { peer } = await node.socketOf(bea)
  expect(peer.frames.filter(({ type }) => type === 'resync')).toEqual([])
})

test('all nodes give sockets of a log that was set back the same epoch, which restarts do not change', async () => {
  const { ann, bea, before, epoch } = await written()
  await rig.restartLog(before)
  const nodes = await Promise.all([rig.node(withoutOne), rig.node(withProjector), rig.node(withoutOne)])
  const given = await Promise.all(nodes.map(async (node) => (await node.socketOf(bea)).epoch))
  expect(new Set(given).size).toBe(1)
  expect(given[0]).not.toBe(epoch)
  await nodes[1]!.live()
  await writes(nodes[0]!, ann, bea, 'New', 1)
  const last = await nodes[0]!.product.core.log.head()
  await rig.restartLog()
  const again = await rig.node(withProjector)
  await writes(again, ann, bea, 'Newer', 2)
  expect((await again.socketOf(bea)).epoch).toBe(given[0])
  expect(await answerTo(again, bea, { last, epoch: given[0]! })).toEqual(['Newer 1', 'Newer 2'])
})

test('a socket goes on where it was over a restart of a log that was not set back', async () => {
  const { ann, bea, last, epoch } = await written()
  await rig.restartLog()
  const node = await rig.node(withProjector)
  await writes(node, ann, bea, 'New', 2)
  expect(await answerTo(node, bea, { last, epoch })).toEqual(['New 1', 'New 2'])
})
