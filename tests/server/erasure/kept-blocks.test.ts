import { afterAll, beforeAll, expect, test } from 'vitest'
import { withRebuildLock } from '../../../projections/engine/care/rebuild-lock.ts'
import { schemaOf } from '../../../projections/engine/checkpoints.ts'
import { histories } from '../../../projections/history/project.ts'
import { profiles } from '../../../projections/profiles/project.ts'
import { listBlocks } from '../../../projections/relations/queries.ts'
import { findAccess } from '../../../projections/view/access.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { historySection, othersSections } from '../../../server/tools/export/others.ts'
import type { Asking } from '../../../server/tools/export/section.ts'
import { KEPT_BLOCK_MS } from '../../../services/kept-blocks.ts'
import { actingAs } from '../../../usecases/acting.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { ErasureIncomplete } from '../../../usecases/identity/finish-erasure.ts'
import { block } from '../../../usecases/pair/block.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let passed = 0
const now = () => new Date(Date.now() + passed)

beforeAll(async () => {
  world = await startWorld({ web: false, now })
})
afterAll(() => world.stop())

const erasing = (actor: string) => erasingOf({ ...world.product, now }, actor)
async function erase({ id }: Person, ports: Partial<Ports> = {}): Promise<void> {
  expect(await eraseAccount({ ...erasing(id), ...ports }, id)).toMatchObject({ ok: true })
  await world.settled()
}
const access = (viewer: Person, owner: Person) => findAccess(world.read, viewer.id, owner.id)
function askingAs({ id }: Person): Asking {
  const { core, services } = world
  return { ...core.storage, ...core, ...services, member: id, signal: new AbortController().signal }
}
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
  // Neither a list nor a copy of their data names who came back to those who had blocked them.
  expect((await listBlocks(world.read, bea.id)).items).toEqual([])
  const copied = [...othersSections(askingAs(bea)), historySection(askingAs(bea))]
  for (const { items } of copied) for await (const item of items()) expect(JSON.stringify(item)).not.toContain(again.id)
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

/** Commands of the type come later than what is given. */
const after = (type: string, first: () => Promise<unknown>): Ports['dispatch'] => {
  return async (decider, command, context) => {
    if ((command as { type?: string }).type === type) await first()
    return world.context.dispatch(decider, command, context)
  }
}

/** Blocked around the erasure; whether both are apart when the blocked one is back. */
async function expectBlocked(bea: Person, { email }: Person): Promise<void> {
  const again = await world.member('Fay', { email })
  expect([await access(bea, again), await access(again, bea)]).toEqual(['blocked-by-me', 'unavailable'])
}

test('a block that no read model shows yet is kept', async () => {
  const [fay, bea] = [await world.member('Fay'), await world.member('Bea')]
  await world.block(bea, fay)
  await erase(fay)
  await expectBlocked(bea, fay)
})

test('a block that comes just before the account ends is kept', async () => {
  const [fay, bea] = [await world.member('Fay'), await world.member('Bea')]
  await erase(fay, { dispatch: after('EraseAccount', () => world.block(bea, fay)) })
  await expectBlocked(bea, fay)
})

test('a block that was on its way while the account ended is kept', async () => {
  const [fay, bea] = [await world.member('Fay'), await world.member('Bea')]
  const slow = { ...actingAs(world.context, bea.id), dispatch: after('Block', () => erase(fay)) }
  expect(await block(slow, { target: fay.id, commandId: world.newCommand() })).toMatchObject({ ok: true })
  await expectBlocked(bea, fay)
})

test.each([histories, profiles])(
  'while read model $name is behind the erasure waits, and the address with it',
  async (projection) => {
    const [fay, bea] = [await world.member('Fay'), await world.member('Bea')]
    const { core, caughtUp } = world.product
    const upToDate: Ports['upToDate'] = async (models) => caughtUp(await core.log.head(), models, 100)
    const behind = await world.core.storage.pool.connect()
    try {
      await behind.query('begin')
      await behind.query(
        `lock table ${schemaOf({ ...projection, generation: 1 })}.${projection.tables[0]!.name} in share mode`,
      )
      await world.block(bea, fay)
      await expect(eraseAccount({ ...erasing(fay.id), upToDate }, fay.id)).rejects.toThrow(ErasureIncomplete)
      expect(await world.services.credentials.findByMember(fay.id)).not.toBeNull()
    } finally {
      await behind.query('rollback')
      behind.release()
    }
    await world.settled()
    await erase(fay)
    await expectBlocked(bea, fay)
  },
)

test('rows of another log are not asked for the blocks of others, and the address waits', async () => {
  const [fay, bea] = [await world.member('Fay'), await world.member('Bea')]
  await world.block(bea, fay)
  await world.settled()
  const { pool } = world.core.storage
  const upToDate = async () => true
  await withRebuildLock(pool, 'histories', async () => {
    await pool.query(`update app.projection_checkpoint set epoch = 'another log' where name = 'histories'`)
    await expect(eraseAccount({ ...erasing(fay.id), upToDate }, fay.id)).rejects.toThrow('the blocks of others wait')
  })
  expect(await world.services.credentials.findByMember(fay.id)).not.toBeNull()
  await world.settled()
  await erase(fay)
  await expectBlocked(bea, fay)
})

test('a block of somebody erased before is not kept', async () => {
  const [gus, hal] = [await world.member('Gus'), await world.member('Hal')]
  await world.block(hal, gus)
  await erase(hal)
  await erase(gus)
  expect(await kept()).not.toContainEqual(expect.objectContaining({ member: hal.id }))
})

test('what is kept stays until the log has it, and goes with an unblock alone', async () => {
  const [ida, jon, kim] = [await world.member('Ida'), await world.member('Jon'), await world.member('Kim')]
  const { credentials, keptBlocks } = world.services
  const emailKey = credentials.emailKey(ida.email)
  for (const by of [jon, kim]) await keptBlocks.keep(emailKey, by.id)
  await world.block(jon, ida)
  await world.unblock(jon, ida)
  await erase(ida)
  expect(await keptBlocks.list(emailKey)).toEqual([kim.id])
})
