import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { apiCalls } from '../api/calls.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 120_000)
afterAll(() => world?.stop())
const call = apiCalls(() => world)
const POSITION = 'X-Log-Position'
const join = (...names: string[]) => Promise.all(names.map((name) => world.member(name)))

test('a block that changes nothing does not tell that the other has blocked too', async () => {
  const [ann, bea] = (await join('Ann', 'Bea')) as [Person, Person]
  const block = async () => {
    const { status, headers } = await call('/block', { as: ann, body: { targetId: bea.id } })
    return [status, headers.get(POSITION)]
  }
  await block()
  const before = await block()
  expect(await block()).toEqual(before)
  await world.block(bea, ann)
  await world.settled()
  expect((await call(`/users/${bea.id}`, { as: ann, method: 'GET' })).json.blocked).toBe(true)
  expect(await block()).toEqual(before)
})

test('a skip that changes nothing does not tell that the other has skipped too', async () => {
  const [cat, dan] = (await join('Cat', 'Dan')) as [Person, Person]
  const skip = async () => {
    const { status, headers } = await call('/discover/skip', { as: cat, body: { to: dan.id } })
    return [status, headers.get(POSITION)]
  }
  await skip()
  const before = await skip()
  await world.skip(dan, cat)
  await world.settled()
  expect(await skip()).toEqual(before)
})

test('the end of a match is answered alike for who blocked and who is deactivated, headers too', async () => {
  const [eve, fay, gus, hal] = (await join('Eve', 'Fay', 'Gus', 'Hal')) as [Person, Person, Person, Person]
  for (const other of [fay, gus, hal]) await world.match(eve, other)
  await world.block(fay, eve)
  await world.account(gus, 'Deactivate')
  await world.edit(hal, { visibilityMode: 'hidden' })
  await world.settled()
  const look = async (other: Person) => (await call(`/users/${other.id}`, { as: eve, method: 'GET' })).status
  expect([await look(fay), await look(gus)]).toEqual([403, 403])
  const unmatch = async (other: Person) => {
    const { status, json, headers } = await call(`/unmatch/${other.id}`, { as: eve })
    return { status, json, names: [...headers.keys()].sort() }
  }
  expect(await unmatch(fay)).toEqual(await unmatch(gus))
})

test('the same of the page', async () => {
  const [ida, jan, kim] = (await join('Ida', 'Jan', 'Kim')) as [Person, Person, Person]
  for (const other of [jan, kim]) await world.buzz(ida, other)
  await world.block(jan, ida)
  await world.account(kim, 'Deactivate')
  await world.settled()
  const withdraw = async (other: Person) => {
    const body = new URLSearchParams({ intent: 'withdraw', commandId: world.newCommand() })
    const { status, headers } = await world.page(`/viewProfile/${other.id}`, { as: ida, method: 'POST', body })
    return { status, cookies: headers.getSetCookie().length, position: headers.has(POSITION) }
  }
  expect(await withdraw(jan)).toEqual(await withdraw(kim))
})
