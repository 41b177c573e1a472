import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { createLogSource } from '../../../realtime/log-source.ts'
import { CloseCode } from '../../../realtime/protocol.ts'
import { until } from '../../support/until.ts'
import type { Peer } from '../peer.ts'
import { member, pairIdOf, sessionOf, startWorld, storedRights, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const BEHIND = 'realtime: read models of rights are too far behind: nobody new is let in, and news of others wait'
const CAUGHT_UP = 'realtime: read models of rights have caught up'
const heard = (peer: Peer) => peer.frames.flatMap(({ type, ...rest }) => ('name' in rest ? rest.name : type))

/** Read models that stand where they are while more changes pass than the node remembers. */
async function stalled(label: string) {
  const [ann, bea, cat, eve] = ['Ann', 'Bea', 'Cat', 'Eve'].map((name) => member(`${name} ${label}`)) as MemberId[] as [
    MemberId,
    MemberId,
    MemberId,
    MemberId,
  ]
  for (const one of [ann, bea, cat, eve]) await world.join(one)
  await world.match(bea, cat)
  const start = await world.log.head()
  const stand = { position: start, before: start, asked: 0 }
  const lines: string[] = []
  const node = await world.node({
    readRights: () => {
      stand.asked += 1
      return storedRights({ position: stand.position, matched: [[bea, cat]] })()
    },
    logLine: (line) => void lines.push(line),
    limits: { rightsChanges: 5, pushesWaiting: 3, startEvents: 0, fillEvents: 0, ringMs: 0, rightsWithinMs: 500 },
  })
  const [a, b] = [await world.peer(node, ann), await world.peer(node, bea)]
  const newcomers = Array.from({ length: 12 }, (_, n) => member(`newcomer ${n} ${label}`))
  for (const one of newcomers) await world.join(one)
  stand.before = await world.log.head()
  return { ann, bea, cat, eve, stand, lines, node, a, b, newcomers }
}

test('models that are far behind hold up nobody’s news but what needs them, and say so once', async () => {
  const { ann, bea, cat, stand, lines, node, a, b, newcomers } = await stalled('far')
  for (const one of newcomers) await world.buzz(one, ann)
  await world.sendMessage(cat, bea, 'after')
  expect((await b.event('direct:message')).data.text).toBe('after')
  await until('the node knows', async () => node.realtime.stats().head >= (await world.log.head()))
  expect(heard(a)).not.toContain('notification')
  expect(lines).toEqual([BEHIND])
  await world.revoke(bea, sessionOf(bea))
  expect(await b.closed).toBe(CloseCode.signedOut)
  stand.position = await world.log.head()
  // What was kept from a page is read anew.
  expect((await a.next('resync')).reason).toBe('gap')
  expect(lines).toEqual([BEHIND, CAUGHT_UP])
  expect(node.realtime.ready()).toBe(true)
})

test('who matched meanwhile, and with somebody whose rights are new here, has the room once the models have come', async () => {
  const { ann, eve, stand, node, a, newcomers } = await stalled('room')
  const [one, other] = newcomers as [MemberId, MemberId]
  await world.match(one, ann)
  await world.match(other, eve)
  // Rows from right before the matches.
  const late = await world.socket(node)
  late.send({ type: 'auth', token: `${eve}.${sessionOf(eve)}` })
  expect(await late.closed).toBe(CloseCode.drain)
  await until('the node knows', async () => node.realtime.stats().head >= (await world.log.head()))
  const lookedAt = stand.asked
  stand.position = stand.before
  await a.next('resync')
  a.send({ type: 'joinRoom', id: 'ann', data: { roomId: pairIdOf(ann, one) } })
  await a.next('ack')
  const again = await world.peer(node, eve)
  again.send({ type: 'joinRoom', id: 'eve', data: { roomId: pairIdOf(eve, other) } })
  await again.next('ack')
  expect(lookedAt).toBeLessThan(10)
})

test('nobody new is let in meanwhile, and everybody is once the models have come', async () => {
  const { ann, eve, stand, node, newcomers } = await stalled('new')
  const late = await world.socket(node)
  late.send({ type: 'auth', token: `${eve}.${sessionOf(eve)}` })
  expect(await late.closed).toBe(CloseCode.drain)
  const from = await world.log.head()
  await world.buzz(newcomers[0]!, ann)
  const second = await world.peer(node, ann, { last: from })
  await second.next('heartbeat')
  expect(heard(second)).not.toContain('notification')
  stand.position = await world.log.head()
  await second.next('resync')
  second.send({ type: 'resume', last: from, epoch: await createLogSource(world.log).epoch() })
  await second.event('notification')
  await until('Eve is let in', async () => {
    const again = await world.socket(node)
    again.send({ type: 'auth', token: `${eve}.${sessionOf(eve)}` })
    return Promise.race([again.next('ready'), again.closed.then(() => false)])
  })
})
