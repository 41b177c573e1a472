import { afterAll, beforeAll, expect, test } from 'vitest'
import { pairIdOf } from '../../domain/shared/ids.ts'
import { readRights } from '../../projections/view/relationships.ts'
import type { Person } from '../support/world-people.ts'
import { type Served, startServed } from './served.ts'

let served: Served
beforeAll(async () => {
  served = await startServed()
})
afterAll(() => served.stop())

const back = async (who: Person, from: { last: string; epoch: string }) => {
  const peer = await served.connect()
  peer.send({ type: 'auth', token: who.token, ...from })
  await peer.next('ready')
  await peer.settled()
  return peer
}
const leave = async (who: Person) => {
  const peer = await served.connect()
  peer.send({ type: 'auth', token: who.token })
  const { pos: last, epoch } = await peer.next('ready')
  peer.ws.terminate()
  return { last, epoch }
}

test.each(['Suspend', 'Deactivate'] as const)(
  'whoever comes back after their match is shut out (%s) hears that their room is closed, and nothing else of them',
  async (how) => {
    const { world } = served
    const [ann, bad, buzzer] = [await world.member('Ann'), await world.member('Bad'), await world.member('Buz')]
    await world.match(ann, bad)
    await world.settled()
    const from = await leave(ann)
    await world.sendMessage(bad, ann, 'Pay me at this address')
    await world.buzz(buzzer, ann)
    await world.account(bad, how)
    await world.account(buzzer, how)
    await world.settled()
    expect((await readRights(world.read, world.core.log, { members: [ann.id], accounts: [buzzer.id] })).out).toEqual(
      expect.arrayContaining([bad.id, buzzer.id]),
    )
    const peer = await back(ann, from)
    expect(peer.events().map(({ name }) => name)).toEqual(['room:closed'])
  },
)

test('whoever comes back after erasures hears of the room that one of them closed', async () => {
  const { world } = served
  const [ann, bea, cat] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cat')]
  await world.match(ann, bea)
  await world.settled()
  const from = await leave(ann)
  for (const gone of [bea, cat]) await world.account(gone, 'EraseAccount')
  await world.settled()
  const peer = await back(ann, from)
  expect(peer.events().map(({ name, data }) => ({ name, data }))).toEqual([
    { name: 'room:closed', data: { roomId: pairIdOf(ann.id, bea.id) } },
  ])
})

test('a room answers alike whether the other is deactivated or has blocked one', async () => {
  const { world } = served
  const [eve, dan, cat] = [await world.member('Eve'), await world.member('Dan'), await world.member('Cat')]
  await world.match(eve, dan)
  await world.match(eve, cat)
  await world.account(dan, 'Deactivate')
  await world.block(cat, eve)
  await world.settled()
  const peer = await served.socketOf(eve.token)
  for (const other of [dan, cat]) {
    peer.send({ type: 'joinRoom', id: other.id, data: { roomId: pairIdOf(eve.id, other.id) } })
    expect(await peer.next('error')).toMatchObject({ for: other.id, code: 'not_found' })
  }
})
