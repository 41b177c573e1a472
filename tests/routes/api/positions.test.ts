import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { apiCalls } from './calls.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 120_000)
afterAll(() => world?.stop())
const call = apiCalls(() => world)
const POSITION = 'X-Log-Position'
const join = (...names: string[]) => Promise.all(names.map((name) => world.member(name)))

test('where nothing had to be written the answer has the last of the log, and not what somebody else did last', async () => {
  const [ann, bea, cat] = (await join('Ann', 'Bea', 'Cat')) as [Person, Person, Person]
  const twice = [
    () => call('/block', { as: ann, body: { targetId: bea.id } }),
    () => call('/discover/skip', { as: cat, body: { to: bea.id } }),
  ]
  for (const ask of twice) await ask()
  await world.block(bea, ann)
  await world.skip(bea, cat)
  await world.edit(bea, { bio: 'Something else happened since' })
  await world.settled()
  for (const ask of twice) {
    const { status, headers } = await ask()
    expect([status, headers.get(POSITION)]).toEqual([200, await world.core.log.head()])
  }
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
