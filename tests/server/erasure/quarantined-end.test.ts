import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MemberId, pairIdOf } from '../../../domain/shared/ids.ts'
import { findQuarantined } from '../../../projections/engine/care/quarantined-keys.ts'
import { retryQuarantined } from '../../../projections/engine/care/retry.ts'
import { listTargets, schemaOf } from '../../../projections/engine/checkpoints.ts'
import { listPartners } from '../../../projections/history/partners.ts'
import { profiles } from '../../../projections/profiles/project.ts'
import { findAccess } from '../../../projections/view/access.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { retry } from '../../../server/tools/projections/caring.ts'
import type { Tools } from '../../../server/tools/projections/tools.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { ErasureIncomplete } from '../../../usecases/identity/finish-erasure.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(() => world.stop())

const query = async (text: string) => (await world.core.storage.pool.query(text)).rows
const erase = ({ id }: Person) => eraseAccount(erasingOf({ ...world.product, now: () => new Date() }, 'admin:test'), id)
const certificates = async ({ id }: Person) =>
  (await world.core.log.read(`member-${id}`)).filter(({ type }) => type === 'ErasureCertified').length
const kept = () => query('select member from app.kept_block')
const accessOf = async (viewer: Person, owner: Person) => {
  await world.settled()
  return [await findAccess(world.read, viewer.id, owner.id), await findAccess(world.read, owner.id, viewer.id)]
}

/** An event of no member that nobody can read, behind which the events of this key wait. */
async function appendOdd(key: string, type = 'MessageSent'): Promise<void> {
  const id = randomUUID()
  const metadata = { commandId: id, correlationId: id, causationId: id, actor: 'system', schema: 1 }
  await world.core.log.append(`odd-${key}`, 'no_stream', [{ id, type, data: { odd: 1 }, metadata }])
}

/** Postgres lets no row of live profiles go, which is as poisonous as a handler that throws. */
async function keepProfiles() {
  const [live] = (await listTargets(world.core.storage.pool, profiles.name)).filter(({ state }) => state === 'live')
  await query(`create function refuse_end() returns trigger language plpgsql as
    $$ begin raise exception 'x' using errcode = '23514'; end $$;
    create trigger refuse_end before delete on ${schemaOf(live!)}.profile for each row execute function refuse_end()`)
  return () => query(`drop function refuse_end cascade`)
}

test('nobody is certified, and no address is free, while a read model has the end of the account in quarantine', async () => {
  const [eve, bea, dan] = [await world.member('Eve'), await world.member('Bea'), await world.member('Dan')]
  const mend = await keepProfiles()
  await expect(erase(eve)).rejects.toThrow(
    new ErasureIncomplete('The end of the account is in quarantine of profiles.'),
  )
  await world.settled()
  expect(await query('select name, type from app.quarantine')).toEqual([{ name: 'profiles', type: 'AccountErased' }])
  expect(await certificates(eve)).toBe(0)
  // Others go on seeing her until then, and can block her.
  expect(await findAccess(world.read, bea.id, eve.id)).toBe('locked')
  await world.block(bea, eve)
  // It is nothing to anybody else.
  await mend()
  expect(await erase(dan)).toMatchObject({ ok: true })
  expect(await certificates(dan)).toBe(1)

  const { log, codec, storage } = world.core
  const deps = { pool: storage.pool, log, codec }
  const [key] = await findQuarantined(deps, eve.id, profiles.name)
  expect(await retryQuarantined(deps, profiles, key!)).toMatchObject({ reason: null })
  expect(await erase(eve)).toMatchObject({ ok: true })
  expect(await certificates(eve)).toBe(1)
  expect(await query(`select from read.profile where member = '${eve.id}'`)).toEqual([])
  expect(await accessOf(bea, await world.member('Eva', { email: eve.email }))).toEqual(['blocked-by-me', 'unavailable'])
})

const effectOf = async ({ id }: Person) =>
  (
    await query(
      `select state, tries from app.reactor_effect where reactor = 'finish-erasure' and stream = 'member-${id}'`,
    )
  )[0]
const retryAll = async ({ id }: Person) => {
  const lines: string[] = []
  await retry({ core: world.core } as Tools, id, (line) => lines.push(line))
  return lines
}

test('an erasure waits for a quarantine of days, and ends with the retry that ends it', async () => {
  const fay = await world.member('Fay')
  const mend = await keepProfiles()
  await expect(erase(fay)).rejects.toThrow(ErasureIncomplete)
  await until('it is tried', async () => (await effectOf(fay))?.tries > 0)
  // Two days of tries, and some hours more.
  await query(`update app.reactor_effect set tries = 58 where stream = 'member-${fay.id}'`)
  await until('it is tried for days', async () => {
    await query(`update app.reactor_effect set due_at = due_at - interval '1 hour' where stream = 'member-${fay.id}'`)
    await world.hurryJobs()
    return (await effectOf(fay)).tries > 63
  })
  expect((await effectOf(fay)).state).toBe('owed')
  expect(await certificates(fay)).toBe(0)
  await mend()
  expect(await retryAll(fay)).toEqual([`profiles: 1 event of ${fay.id} applied.`])
  await until('it is certified', async () => (await certificates(fay)) === 1)
})

test('an end that a retry applied ahead of what still waits keeps nobody back', async () => {
  const gil = await world.member('Gil')
  await appendOdd(gil.id, 'BioChanged')
  const mend = await keepProfiles()
  await expect(erase(gil)).rejects.toThrow(ErasureIncomplete)
  await mend()
  expect(await retryAll(gil)).toContainEqual(expect.stringContaining(`profiles: ${gil.id} stays in quarantine: `))
  expect(await query(`select from read.profile where member = '${gil.id}'`)).toEqual([])
  await until('it is certified', async () => (await certificates(gil)) === 1)
})

test('a block that waits in quarantine of the histories is kept, and nothing else of it', async () => {
  const [ann, bea, cat] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cat')]
  for (const other of [bea, cat]) {
    await world.match(ann, other)
    await world.settled()
    await appendOdd(pairIdOf(ann.id, other.id))
    await world.block(other, ann)
  }
  await world.unblock(cat, ann)
  await world.settled()
  const before: MemberId[] = await listPartners(world.read, ann.id, 'Blocked')
  expect(before.sort()).toEqual([bea.id, cat.id].sort())
  expect(await listPartners(world.read, bea.id)).toContain(ann.id)
  expect(await erase(ann)).toMatchObject({ ok: true })
  expect(await kept()).toEqual([{ member: bea.id }])
  const again = await world.member('Anna', { email: ann.email })
  expect(await accessOf(bea, again)).toEqual(['blocked-by-me', 'unavailable'])
  expect(await accessOf(cat, again)).toEqual(['locked', 'locked'])
})
