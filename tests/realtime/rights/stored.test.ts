import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { START } from '../../../domain/shared/recorded.ts'
import { readRights, readRooms } from '../../../projections/view/relationships.ts'
import { until } from '../../support/until.ts'
import { type Served, startServed } from '../served.ts'

let served: Served
beforeAll(async () => {
  served = await startServed()
})
afterAll(() => served.stop())

const people = async (...names: string[]) => {
  const members = []
  for (const name of names) members.push(await served.world.member(name))
  return members as [(typeof members)[0], ...typeof members] & Record<number, (typeof members)[0]>
}
const sorted = (pairs: readonly (readonly [MemberId, MemberId])[]) => pairs.map((pair) => pair.join(' ')).sort()

test('the rows of a member show matches, blocks in both directions and who is out, and nothing of others', async () => {
  const { world } = served
  const [ann, bea, cat, dan, eve, fay, gus] = await people('Ann', 'Bea', 'Cat', 'Dan', 'Eve', 'Fay', 'Gus')
  for (const other of [bea, cat, dan, eve, fay]) await world.match(ann, other!)
  await world.match(bea!, gus!)
  await world.block(ann, cat!)
  await world.block(dan!, ann)
  await world.account(eve!, 'Suspend')
  await world.account(fay!, 'EraseAccount')
  const head = await world.core.log.head()
  await world.settled()
  const stranger = 'nobody0000000000000000' as MemberId
  const rights = await readRights(world.read, world.core.log, {
    members: [ann.id],
    accounts: [fay!.id, gus!.id, stranger],
  })
  expect(sorted(rights.matched)).toEqual([`${ann.id} ${bea!.id}`, `${ann.id} ${eve!.id}`].sort())
  expect(sorted(rights.blocked)).toEqual([`${ann.id} ${cat!.id}`, `${dan!.id} ${ann.id}`].sort())
  expect([...rights.out].sort()).toEqual([eve!.id, fay!.id, stranger].sort())
  expect([rights.relationsAt >= head, rights.accountsAt >= head]).toEqual([true, true])
})

test('of rooms those show that are open, or were until the other was erased', async () => {
  const { world } = served
  const [ann, bea, cat, dan, eve, fay, gus] = await people('Ann', 'Bea', 'Cat', 'Dan', 'Eve', 'Fay', 'Gus')
  for (const other of [bea, cat, dan, eve, gus]) await world.match(ann, other!)
  await world.buzz(fay!, ann)
  await world.sendMessage(bea!, ann, 'Hello')
  await world.unmatch(ann, cat!)
  await world.block(dan!, ann)
  for (const gone of [bea!, cat!, dan!, eve!, fay!]) await world.account(gone, 'EraseAccount')
  const head = await world.core.log.head()
  await world.settled()
  const others = [bea, cat, dan, eve, fay, gus].map((one) => one!.id)
  const pages = async (of: readonly MemberId[], atOnce?: number) => {
    const found = []
    for await (const page of readRooms(world.read, world.core.log, of, atOnce)) found.push(page)
    return found
  }
  const [rooms] = await pages(others)
  const of = ({ member, other }: { member: MemberId; other: MemberId }) => `${member} ${other}`
  const expected = [bea!, eve!, gus!].map((other) => of({ member: ann.id, other: other.id })).sort()
  expect(rooms!.rooms.map(of).sort()).toEqual(expected)
  for (const atOnce of [1, 2, 3]) {
    const parts = await pages(others, atOnce)
    expect(parts.map((part) => part.rooms.length)).toEqual({ 1: [1, 1, 1, 0], 2: [2, 1], 3: [3, 0] }[atOnce])
    expect(parts.flatMap((part) => part.rooms.map(of)).sort()).toEqual(expected)
  }
  expect((await pages([ann.id, bea!.id]))[0]!.rooms.map(of).sort()).toEqual(
    [of({ member: ann.id, other: bea!.id }), of({ member: gus!.id, other: ann.id })].sort(),
  )
  expect(rooms!.at >= head).toBe(true)
})

test('a node knows the rights of those with a socket alone', async () => {
  const { world } = served
  const [ann, bea, cat, dan] = await people('Ann', 'Bea', 'Cat', 'Dan')
  await world.match(ann, bea!)
  await world.match(bea!, cat!)
  await world.match(cat!, dan!)
  await world.settled()
  const stats = () => world.product.live!.stats()
  expect([stats().rightsMembers, stats().rightsAccounts]).toEqual([0, 0])
  const [a, b] = [await served.socketOf(ann.token), await served.socketOf(bea!.token)]
  expect([stats().rightsMembers, stats().rightsAccounts]).toEqual([2, 3])
  await world.sendMessage(cat!, bea!, 'Hi')
  await b.event('direct:message')
  await world.block(ann, bea!)
  await Promise.all([a.event('room:closed'), b.event('room:closed')])
  await world.buzz(dan!, ann)
  expect((await a.event('notification')).data.fromId).toBe(dan!.id)
})

test('each model has its own position, and one that is not there is at the start', async () => {
  const { world } = served
  await world.settled()
  const { relationsAt } = await readRights(world.read, world.core.log, { members: [], accounts: [] })
  const { pool } = world.core.storage
  const put = (state: string) =>
    pool.query(`update app.projection_target set state = $1 where name = 'accounts'`, [state])
  const { rows } = await pool.query(`select distinct state from app.projection where name = 'accounts'`)
  expect(rows).toEqual([{ state: 'live' }])
  await put('filling')
  try {
    const rights = await readRights(world.read, world.core.log, { members: [], accounts: [] })
    expect([rights.relationsAt >= relationsAt, rights.accountsAt]).toEqual([true, START])
  } finally {
    await put('live')
  }
  await until(
    'both are there',
    async () => (await readRights(world.read, world.core.log, { members: [], accounts: [] })).accountsAt > START,
  )
})
