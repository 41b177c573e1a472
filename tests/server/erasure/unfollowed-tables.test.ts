import { afterAll, beforeAll, expect, test } from 'vitest'
import { allProjections } from '../../../projections/all-projections.ts'
import { pauseProjection, resumeProjection } from '../../../projections/engine/care/pause.ts'
import { findQuarantined } from '../../../projections/engine/care/quarantined-keys.ts'
import { withRebuildLock } from '../../../projections/engine/care/rebuild-lock.ts'
import { retryQuarantined } from '../../../projections/engine/care/retry.ts'
import { rollback } from '../../../projections/engine/care/tables-by-hand.ts'
import { dropUnfollowed } from '../../../projections/engine/care/unfollowed-tables.ts'
import { listTargets, schemaOf } from '../../../projections/engine/checkpoints.ts'
import { rebuild } from '../../../projections/engine/rebuild.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { ErasureIncomplete } from '../../../usecases/identity/finish-erasure.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let ann: Person
beforeAll(async () => {
  world = await startWorld({ web: false })
  ann = await world.member('Annatypical')
})
afterAll(() => world.stop())

async function again(name: string, swap: boolean) {
  const { log, codec, keys, storage } = world.core
  const deps = { log, codec, keys, pool: storage.pool, signal: new AbortController().signal }
  return rebuild(deps, allProjections.find((one) => one.name === name)!, { swap })
}
const query = async (text: string) => (await world.core.storage.pool.query(text)).rows
const states = async (name: string) =>
  (await query(`select generation, state from app.projection where name = '${name}' order by generation`)).map(
    ({ generation, state }) => `${generation} ${state}`,
  )
/** As its reactor does, who comes again where rows are still being removed. */
const erase = (person: Person) =>
  until('they are erased', () =>
    eraseAccount(erasingOf({ ...world.product, now: () => new Date() }, 'admin:test'), person.id).then(
      ({ ok }) => ok,
      (error: unknown) => {
        if (error instanceof ErasureIncomplete) return false
        throw error
      },
    ),
  )
/** Tables of read models, also those that nobody reads, with words of hers. */
async function found(): Promise<string[]> {
  const tables = await query(`select table_schema as s, table_name as t from information_schema.tables
    where table_schema ~ '^p_' and table_type = 'BASE TABLE' order by 1, 2`)
  const hits: string[] = []
  for (const { s, t } of tables)
    if ((await query(`select from ${s}.${t} x where x::text ~* 'xylophone|annatypical' limit 1`)).length > 0)
      hits.push(`${s}.${t}`)
  return hits
}

test('an erasure leaves nothing in tables that were retired, nor in those that were filled and not swapped in', async () => {
  const bea = await world.member('Bea')
  await world.match(ann, bea)
  await world.settled()
  await world.sendMessage(ann, bea, 'a xylophone')
  await world.settled()
  await again('profiles', true)
  await again('conversations', true)
  await again('conversations', false)
  expect(await states('conversations')).toEqual(['1 retired', '2 live', '3 filling'])
  expect((await found()).length).toBeGreaterThan(4)
  await erase(ann)
  await world.settled()
  expect(await found()).toEqual([])
  expect([await states('profiles'), await states('conversations')]).toEqual([['2 live'], ['2 live']])
})

test('after a rollback an erasure leaves nothing in the tables that readers see again, nor in those from before it', async () => {
  const [eve, dan] = [await world.member('Annatypical'), await world.member('Dan')]
  await world.match(eve, dan)
  await world.sendMessage(eve, dan, 'a xylophone')
  await world.settled()
  const deps = { ...world.core, pool: world.core.storage.pool, signal: new AbortController().signal }
  for (const name of ['profiles', 'conversations']) {
    await again(name, true)
    await world.sendMessage(eve, dan, `another xylophone, after the rebuild of ${name}`)
    await rollback(deps, allProjections.find((one) => one.name === name)!)
    expect(await states(name)).toEqual(['2 live', '3 retired'])
  }
  await world.settled()
  expect(await found()).toEqual(
    expect.arrayContaining(['p_conversations_v3_2.message', 'p_conversations_v3_3.message']),
  )
  await erase(eve)
  await world.settled()
  expect(await found()).toEqual([])
  expect([await states('profiles'), await states('conversations')]).toEqual([['2 live'], ['2 live']])
})

test('an erasure leaves nothing in tables that a rollback was filling when it was stopped', async () => {
  const [eve, dan] = [await world.member('Annatypical'), await world.member('Dan')]
  await world.match(eve, dan)
  await world.sendMessage(eve, dan, 'a xylophone')
  await world.settled()
  await again('conversations', true)
  const deps = { ...world.core, pool: world.core.storage.pool, signal: AbortSignal.abort(new Error('it was stopped')) }
  await world.sendMessage(eve, dan, 'another xylophone')
  await expect(rollback(deps, allProjections.find((one) => one.name === 'conversations')!)).rejects.toThrow()
  expect(await states('conversations')).toEqual(['2 retired', '3 live'])
  expect((await found()).length).toBeGreaterThan(2)
  await erase(eve)
  await world.settled()
  expect(await found()).toEqual([])
  expect(await states('conversations')).toEqual(['3 live'])
})

test('an erasure goes past what is in quarantine, and a retry brings nobody back', async () => {
  const eve = await world.member('Annatypical')
  const { name, version } = allProjections.find((one) => one.name === 'profiles')!
  const [live] = await query(`select generation from app.projection where name = 'profiles' and state = 'live'`)
  const table = `${schemaOf({ name, version, generation: live.generation })}.profile`
  await query(`alter table ${table} add constraint faulty check (status <> 'deactivated')`)
  await world.account(eve, 'Deactivate')
  await world.settled()
  await query(`alter table ${table} drop constraint faulty`)
  expect(await query('select name, type from app.quarantine')).toEqual([{ name, type: 'AccountDeactivated' }])
  await erase(eve)
  await world.settled()
  expect(await found()).toEqual([])
  const { log, codec, storage } = world.core
  const deps = { pool: storage.pool, log, codec }
  const [key] = await findQuarantined(deps, `member-${eve.id}`, name)
  expect(key?.events.map(({ stored }) => stored.type)).toEqual(['AccountDeactivated', 'AccountErased'])
  await retryQuarantined(deps, allProjections.find((one) => one.name === name)!, key!)
  expect(await query(`select from read.profile where member = '${eve.id}'`)).toEqual([])
  expect(await query('select name, type from app.quarantine')).toEqual([])
})

test('without an erasure tables are kept for a rollback, for a week', async () => {
  const { pool } = world.core.storage
  await again('relations', true)
  expect(await dropUnfollowed(pool, 'old')).toEqual({ schemas: [], busy: [] })
  await query(`update app.projection_checkpoint set updated_at = now() - interval '8 days' where name = 'relations'`)
  expect((await dropUnfollowed(pool, 'old')).schemas).toHaveLength(1)
  expect(await states('relations')).toEqual(['2 live'])
})

test('what a rebuild or a rollback fills goes on, and nobody is certified before it is live or left', async () => {
  const { pool } = world.core.storage
  const eve = await world.member('Eve')
  await again('relations', true)
  await again('relations', false)
  const before = await states('relations')
  expect(before).toHaveLength(3)
  const certificates = async () =>
    (await world.core.log.read(`member-${eve.id}`)).filter(({ type }) => type === 'ErasureCertified').length
  const erasing = erasingOf({ ...world.product, now: () => new Date() }, 'admin:test')
  await withRebuildLock(pool, 'relations', async () => {
    expect(await dropUnfollowed(pool, 'all')).toEqual({ schemas: [], busy: ['relations'] })
    await expect(eraseAccount(erasing, eve.id)).rejects.toThrow(
      'Tables of relations are behind, being filled, or not empty yet.',
    )
    expect([await certificates(), await states('relations')]).toEqual([0, before])
  })
  expect((await eraseAccount(erasing, eve.id)).ok).toBe(true)
  expect([await certificates(), await states('relations')]).toEqual([1, before.filter((one) => one.endsWith('live'))])
})

test('a first filling, which nothing is live beside, goes on', async () => {
  const { pool } = world.core.storage
  await query(`update app.projection_target set state = 'filling' where name = 'relations'`)
  expect(await dropUnfollowed(pool, 'all')).toEqual({ schemas: [], busy: ['relations'] })
  await query(`update app.projection_target set state = 'live' where name = 'relations'`)
})

test('tables that somebody reads for long keep no erasure from the rest', async () => {
  const { pool } = world.core.storage
  const before = (await states('notifications')).length
  await again('notifications', true)
  const reader = await pool.connect()
  // An erasure of before may take them away once more.
  await until('retired tables are read', async () => {
    await again('profiles', true)
    const { name, version, generation } = (await listTargets(pool, 'profiles')).find(
      ({ state }) => state === 'retired',
    )!
    await reader.query('begin')
    const reading = reader.query(`select from ${schemaOf({ name, version, generation })}.profile`)
    return reading.then(
      () => true,
      () => reader.query('rollback').then(() => false),
    )
  })
  expect(await dropUnfollowed(pool, 'all')).toMatchObject({ busy: ['profiles'] })
  expect(await states('notifications')).toHaveLength(before)
  await reader.query('commit')
  reader.release()
  expect(await dropUnfollowed(pool, 'all')).toMatchObject({ busy: [] })
})

test('nobody is certified while a read model is before the end of the account', async () => {
  const { pool } = world.core.storage
  const fay = await world.member('Fay')
  const erasing = erasingOf({ ...world.product, now: () => new Date() }, 'admin:test')
  await pauseProjection(pool, 'conversations')
  await expect(eraseAccount(erasing, fay.id)).rejects.toThrow('Tables of conversations are behind')
  await resumeProjection(pool, 'conversations')
  await world.settled()
  expect((await eraseAccount(erasing, fay.id)).ok).toBe(true)
  const types = (await world.core.log.read(`member-${fay.id}`)).map(({ type }) => type)
  expect(types.filter((type) => type === 'ErasureCertified')).toHaveLength(1)
})
