import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAccess } from '../../../projections/view/access.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { KEPT_BLOCK_MS } from '../../../services/kept-blocks.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let passed = 0
const now = () => new Date(Date.now() + passed)

beforeAll(async () => {
  world = await startWorld({ web: false, now })
})
afterAll(() => world.stop())

async function erase({ id }: Person): Promise<void> {
  expect(await eraseAccount(erasingOf({ ...world.product, now }, id), id)).toEqual({ ok: true })
  await world.settled()
}
const access = (viewer: Person, owner: Person) => findAccess(world.read, viewer.id, owner.id)
const kept = () => world.core.storage.app.selectFrom('kept_block').selectAll().execute()

/** Ann, blocked by Bea and by nobody else, leaves and comes back with her address. */
async function leaveAndReturn(between: () => Promise<void> | void = () => undefined) {
  const [ann, bea, cat] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cat')]
  await world.match(ann, bea)
  await world.settled()
  await world.block(bea, ann)
  await world.settled()
  await erase(ann)
  await between()
  return { again: await world.member('Anna', { email: ann.email }), bea, cat, ann }
}

test('whoever was blocked and comes back with the same address is blocked from the first moment on', async () => {
  const { again, bea, cat } = await leaveAndReturn(async () => {
    expect(await kept()).toHaveLength(1)
    expect(JSON.stringify(await kept())).not.toContain('@')
  })
  expect(await access(bea, again)).toBe('blocked-by-me')
  expect(await access(again, bea)).toBe('unavailable')
  expect(await access(cat, again)).toBe('locked')
  expect(await kept()).toEqual([])
  const [block, ...later] = await world.core.log.read(`pair-${[again.id, bea.id].sort().join('_')}`)
  expect([block?.type, later]).toEqual(['Blocked', []])
  const [joined] = await world.core.log.read(`member-${again.id}`)
  expect(block!.position < joined!.position).toBe(true)
})

test('leaving once more changes nothing, and an unblock counts', async () => {
  const { again, bea, ann } = await leaveAndReturn()
  await erase(again)
  const third = await world.member('Annie', { email: ann.email })
  expect(await access(bea, third)).toBe('blocked-by-me')
  await world.unblock(bea, third)
  await world.settled()
  await erase(third)
  const fourth = await world.member('Nan', { email: ann.email })
  expect(await access(bea, fourth)).toBe('locked')
})

test('it is kept for a year', async () => {
  const { again, bea } = await leaveAndReturn(async () => {
    passed += KEPT_BLOCK_MS + 1
    expect(await world.services.keptBlocks.sweep()).toBe(1)
  })
  expect(await access(bea, again)).toBe('locked')
})

test('it goes with whoever had blocked', async () => {
  const [dan, eve] = [await world.member('Dan'), await world.member('Eve')]
  await world.block(eve, dan)
  await world.settled()
  await erase(dan)
  expect(await kept()).toHaveLength(1)
  await erase(eve)
  expect(await kept()).toEqual([])
})
