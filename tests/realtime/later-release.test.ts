import { afterEach, beforeEach, expect, test } from 'vitest'
import { CloseCode } from '../../realtime/protocol.ts'
import { fromLater } from '../eventstore/later-release.ts'
import { Peer } from './peer.ts'
import { member, pairIdOf, startWorld, storedRights, type World } from './world.ts'

const [ann, bea] = [member('Ann'), member('Bea')]
/** A type that this release knows, of a later version, and one that it does not know. */
const WRITTEN = ['MessageSent', 'Waved']
let world: World
beforeEach(async () => {
  world = await startWorld()
  await world.match(ann, bea)
})
afterEach(() => world.stop())

async function appendLater(type: string) {
  const stream = `pair-${pairIdOf(ann, bea)}`
  const { length } = await world.log.read(stream, 0)
  await world.log.append(stream, length - 1, [fromLater(type)])
}

test.each(WRITTEN)('a node that meets %s of a later release sends its sockets away, and takes none', async (type) => {
  const lines: string[] = []
  const node = await world.node({ logLine: (line) => void lines.push(line) })
  const peer = await world.peer(node, bea)
  await appendLater(type)
  await peer.next('bye')
  expect(await peer.closed).toBe(CloseCode.drain)
  expect(node.realtime.ready()).toBe(false)
  await expect(new Peer(node.port, { origin: node.origin }).opened).rejects.toThrow('status 503')
  expect(lines.join('\n')).toContain('TooNewEvent')
})

test.each(WRITTEN)(
  'a node that meets %s of a later release while it starts does not start, and shows why',
  async (type) => {
    await appendLater(type)
    await expect(world.node()).rejects.toThrow(/later release|no event of this release/)
  },
)

test.each(WRITTEN)(
  '%s of a later release in the past of a node is a gap in it, and sends nobody away',
  async (type) => {
    const last = await world.sendMessage(ann, bea, 'Hello')
    await appendLater(type)
    const at = await world.log.head()
    const lines: string[] = []
    const node = await world.node({
      logLine: (line) => void lines.push(line),
      readRights: storedRights({ position: at }),
      readRooms: async function* () {
        yield { at, rooms: [] }
      },
      limits: { startEvents: 0 },
    })
    const peer = await world.peer(node, bea, { last })
    expect((await peer.next('resync')).reason).toBe('gap')
    expect([node.realtime.ready(), peer.closeCode]).toEqual([true, undefined])
    expect(lines.at(-1)).toBe('realtime: the past could not be read: TooNewEvent')
  },
)

test('what the log has in streams of its own sends nobody away', async () => {
  const node = await world.node()
  const peer = await world.peer(node, bea)
  await world.log.append('$projections-some-result', 'no_stream', [fromLater('Result')])
  await world.sendMessage(ann, bea, 'Hello')
  await peer.next('event')
  expect(node.realtime.ready()).toBe(true)
})
