import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createToolPorts } from '../../../../server/ports.ts'
import type { Product } from '../../../../server/product.ts'
import { administer } from '../../../../server/tools/admin/commands.ts'
import { until } from '../../../support/until.ts'
import { createPeople, type Person } from '../../../support/world-people.ts'
import { type LeftWorld, rolesBut, type SetBackWorld, startSetBackWorld, typesOf } from './set-back-world.ts'

const LOCATION = { lat: 40, lng: 10 }
let begun: SetBackWorld
/** Eve joined in what the log has lost since; Fay stays. */
let eve: Person
let fay: Person
let again: () => Promise<LeftWorld>
beforeAll(async () => {
  begun = await startSetBackWorld()
  const { world } = begun
  fay = await world.member('Fay')
  await world.settled()
  const before = await world.core.log.head()
  eve = await world.member('Eve', { location: LOCATION })
  for (const bio of ['one', 'two', 'three', 'four']) await world.edit(eve, { bio })
  await begun.setBack(before)
  again = await begun.leave()
})
afterAll(() => begun.stop())

let rig: LeftWorld
let product: Product
beforeEach(async () => {
  rig = await again()
  product = await rig.start(rolesBut())
  expect(await typesOf(product, eve.id)).toEqual([])
})
afterEach(() => rig.stop())

const erase = (product: Product, who: string) => administer(product, { words: ['erase', who], yes: true })

/** Tables beside the log that name a member, but those of keys that were destroyed, and histories, which outlive an erasure. */
async function rowsOf({ id }: Person): Promise<string[]> {
  const { rows: tables } = await rig.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where (schemaname = 'app' or schemaname ~ '^p_(?!histories)') and tablename not in ('destroyed_key', 'subject_key')`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rowCount } = await rig.pool.query(`select from ${name} t where t::text like $1 limit 1`, [`%${id}%`])
    if (rowCount) found.push(name)
  }
  return found
}

const isDone = (lines: readonly string[]) => lines.join().includes('the address is free')
const waitsForTables = (error: Error) => {
  expect(error.message).toContain('behind, being filled')
  return false
}

test('whose sign-up the log has lost is named so, and erased with all rows; the address is free to join anew', async () => {
  await expect(administer(product, { words: ['find', eve.email], yes: false })).rejects.toThrow(
    `The log has lost the sign-up of ${eve.id}:`,
  )
  await until('it is done', () => erase(product, eve.email).then(isDone, waitsForTables))
  await until('nothing names her', async () => (await rowsOf(eve)).length === 0)
  await expect(erase(product, eve.email)).rejects.toThrow('Nobody is known')
  const ports = createToolPorts(product.core, product.services, () => new Date())
  const again = await createPeople(ports, product, rig.dataDir).join('Eve', { email: eve.email })
  expect(again.id).not.toBe(eve.id)
  expect(await typesOf(product, again.id)).toContain('MemberRegistered')
  expect((await product.services.credentials.findByMember(fay.id))?.member).toBe(fay.id)
})

test('in a log that was not found to be set back nobody is lost: it may be the wrong one', async () => {
  await rig.pool.query('delete from app.set_back')
  await expect(erase(product, eve.email)).rejects.toThrow('Nobody is known')
  expect(await product.services.credentials.findByMember(eve.id)).not.toBeNull()
})

test('such an erasure that stopped half way is finished by the next start', async () => {
  const { erasure } = product.services
  await erasure.ledger.add([eve.id])
  await erasure.destroyKey(eve.id)
  const next = await rig.start(rolesBut())
  await until('nothing names her', async () => (await rowsOf(eve)).length === 0)
  expect(await next.services.credentials.findByMember(eve.id)).toBeNull()
  expect(await next.services.erasure.listUnsettled()).toEqual([])
})
