import { afterAll, beforeAll, expect, test } from 'vitest'
import { CloseCode } from '../../realtime/protocol.ts'
import { fromLater } from '../eventstore/later-release.ts'
import { Peer } from './peer.ts'
import { member, pairIdOf, startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

test('a node that meets what a later release wrote sends its sockets away, and takes none', async () => {
  const [ann, bea] = [member('Ann'), member('Bea')]
  await world.match(ann, bea)
  const lines: string[] = []
  const node = await world.node({ logLine: (line) => void lines.push(line) })
  const peer = await world.peer(node, bea)
  const stream = `pair-${pairIdOf(ann, bea)}`
  const { length } = await world.log.read(stream, 0)
  await world.log.append(stream, length - 1, [fromLater()])
  await peer.next('bye')
  expect(await peer.closed).toBe(CloseCode.drain)
  expect(node.realtime.ready()).toBe(false)
  await expect(new Peer(node.port, { origin: node.origin }).opened).rejects.toThrow('status 503')
  expect(lines.join('\n')).toContain('TooNewEvent')
})

test('a node that meets it while it starts does not start, and shows why', async () => {
  await expect(world.node()).rejects.toThrow(/later release/)
})
