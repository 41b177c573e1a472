import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAccounts } from '../../../usecases/audit/find-accounts.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { refusesNotes } from './refuses-notes.ts'

let world: World
/** Who looks. */
let eve: Person
beforeAll(async () => {
  world = await startWorld({ web: false })
  eve = await world.member('Eve')
})
afterAll(() => world.stop())

const find = (words: string) => findAccounts(world.context, eve.id, words)
const recorded = async () => world.core.log.read(`audit-${eve.id}`)
const lastSearch = async () => (await world.core.codec.decode(await recorded())).at(-1)
const NOBODY = '0'.repeat(24)

test('an account is found by its id and its address, whatever surrounds them', async () => {
  const ann = await world.member('Ann')
  for (const words of [ann.id, ann.email, `  ${ann.email.toUpperCase()} `])
    expect([words, await find(words)]).toEqual([words, { members: [ann.id], stream: null }])
})

test('a stream leads to everyone whose it is', async () => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  const both = [ann.id, bea.id].sort()
  const stream = `pair-${both.join('_')}`
  const found = await find(stream)
  expect([found.stream, [...found.members].sort()]).toEqual([stream, both])
})

test('nobody is found by what nobody has', async () => {
  for (const words of [NOBODY, 'nobody@example.com', 'Ann', '', "' or 1=1 --"])
    expect([words, await find(words)]).toEqual([words, { members: [], stream: null }])
  expect(await find(`profile-${NOBODY}`)).toEqual({ members: [], stream: `profile-${NOBODY}` })
})

test('an erased member is found by the id, and by the address no more', async () => {
  const cora = await world.member('Cora')
  expect(await eraseAccount({ ...world.context, actor: cora.id }, cora.id)).toMatchObject({ ok: true })
  await world.settled()
  expect((await find(cora.id)).members).toEqual([cora.id])
  expect((await find(cora.email)).members).toEqual([])
})

test('a search is a fact of who looked, found or not, and its words are not in the log', async () => {
  const ann = await world.member('Ann')
  const whose = { type: 'AccountSearched', auditor: eve.id, meta: { actor: eve.id } }
  await find(ann.email)
  expect(await lastSearch()).toMatchObject({ ...whose, asked: null, address: expect.any(String), found: 1 })
  await find('stranger@example.com')
  expect(await lastSearch()).toMatchObject({ ...whose, asked: null, address: null, found: 0 })
  for (const words of [ann.id, 'Some words']) {
    await find(words)
    const asked = world.context.credentials.emailKey(words)
    expect(await lastSearch()).toMatchObject({ ...whose, asked, address: null, found: words === ann.id ? 1 : 0 })
  }
  const kept = JSON.stringify(await recorded())
  for (const words of [ann.email, 'stranger', 'Some words', ann.id]) expect(kept).not.toContain(words)
})

test('a search that cannot be recorded finds nothing', async () => {
  const before = (await recorded()).length
  await expect(findAccounts(refusesNotes(world), eve.id, eve.email)).rejects.toThrow('A look could not be recorded')
  expect(await recorded()).toHaveLength(before)
})
