import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pairIdOf } from '../../../domain/shared/ids.ts'
import { UndecodableEvent } from '../../../eventstore/codec.ts'
import { loadConfig } from '../../../server/config.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { reapplyErasures } from '../../../server/tools/erasure/reapply.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

/** Without reactors: what a start leaves stays so until the next. */
let world: World
beforeAll(async () => {
  const roles = new Set([...loadConfig({}).roles].filter((role) => role !== 'reactors'))
  world = await startWorld({ web: false, config: { roles } })
})
afterAll(() => world.stop())

const parts = () => ({ ...world.product, now: () => new Date() })
const erase = ({ id }: Person) => eraseAccount(erasingOf(parts(), 'admin:test'), id)
const certified = async ({ id }: Person) =>
  (await world.core.log.read(`member-${id}`)).some(({ type }) => type === 'ErasureCertified')
/** What a start does, and how many events it could not read. */
async function start() {
  let unread = 0
  const done = await reapplyErasures(parts(), () => unread++)
  return { ...done, unread }
}

/** Nobody can read it until it is mended. */
async function appendUnreadable(stream: string, type: string, data: object) {
  const last = await world.core.log.readLast(stream)
  if (!last || last === 'ended') throw new Error(`${stream} is empty`)
  const id = randomUUID()
  const metadata = { commandId: id, correlationId: id, causationId: id, actor: 'system', schema: 1 }
  await world.core.log.append(stream, Number(last.revision), [{ id, type, data: { odd: 1 }, metadata }])
  await world.settled()
  return async () => {
    const client = new pg.Client(world.logDatabase)
    await client.connect()
    const values = [JSON.stringify(data), id]
    await client.query(`update log.event set data = convert_to($1, 'utf8') where id = $2`, values)
    await client.end()
  }
}

test('an event of a pair that cannot be read stops no start, and the erasure that has to know it waits alone', async () => {
  const [ann, bea, dan] = [await world.member('Ann'), await world.member('Bea'), await world.member('Dan')]
  await world.block(bea, ann)
  await world.settled()
  const unblocked = { by: ann.id, target: bea.id, at: new Date() }
  const mend = await appendUnreadable(`pair-${pairIdOf(ann.id, bea.id)}`, 'Unblocked', unblocked)
  await expect(erase(ann)).rejects.toThrow(UndecodableEvent)
  await world.account(dan, 'EraseAccount')
  await world.settled()
  expect(await start()).toEqual({ again: 0, finished: 1, unread: 1 })
  expect([await certified(ann), await certified(dan)]).toEqual([false, true])
  await mend()
  expect(await start()).toEqual({ again: 0, finished: 1, unread: 0 })
  expect(await certified(ann)).toBe(true)
  expect(await world.services.keptBlocks.list(world.services.credentials.emailKey(ann.email))).toEqual([bea.id])
})

test('nor does one of the member', async () => {
  const cat = await world.member('Cat')
  const mend = await appendUnreadable(`member-${cat.id}`, 'AccountReactivated', { member: cat.id, at: new Date() })
  await world.services.erasure.ledger.add([cat.id])
  expect(await start()).toMatchObject({ again: 0, unread: expect.any(Number) })
  expect(await certified(cat)).toBe(false)
  await mend()
  expect(await start()).toMatchObject({ again: 1, unread: 0 })
  expect(await certified(cat)).toBe(true)
})
