import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { memberDecider } from '../../../domain/identity/member.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { createCodec } from '../../../eventstore/codec.ts'
import { createDispatch } from '../../../eventstore/dispatch.ts'
import { createKeyRing } from '../../../eventstore/keys.ts'
import { type Config, loadConfig } from '../../../server/config.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { startForgetting } from '../../../server/tools/erasure/forgetting.ts'
import { reapplyErasures } from '../../../server/tools/erasure/reapply.ts'
import { PERSONAL_COLUMNS } from '../../../services/erasure.ts'
import { createLogger } from '../../../services/log.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
/** Without reactors: what is interrupted stays so until somebody looks. */
let still: World
const rolesBut = (role: string): Config['roles'] => new Set([...loadConfig({}).roles].filter((one) => one !== role))

beforeAll(async () => {
  world = await startWorld({ web: false })
  still = await startWorld({ web: false, config: { roles: rolesBut('reactors') } })
})
afterAll(async () => {
  await world.stop()
  await still.stop()
})

const partsOf = ({ product }: World) => ({ ...product, now: () => new Date() })
const erasing = (of: World) => erasingOf(partsOf(of), 'admin:test')

async function typesOf({ core }: World, member: MemberId): Promise<string[]> {
  return (await core.log.read(`member-${member}`)).map(({ type }) => type)
}

const certified = (of: World, member: MemberId) =>
  until('the erasure is certified', async () => (await typesOf(of, member)).includes('ErasureCertified'))

async function expectGone({ services, core }: World, { id, token, email }: Person): Promise<void> {
  expect(await services.credentials.findByMember(id)).toBeNull()
  expect(await services.credentials.findByEmail(email)).toBeNull()
  expect(await services.addresses.find(services.credentials.emailKey(email))).toBeNull()
  expect(await services.sessions.find(token)).toBeNull()
  expect(await services.media.list({ member: id })).toEqual([])
  expect(await services.erasure.ledger.read()).toContain(id)
  const { rows } = await core.storage.pool.query('select wrapped from app.subject_key where subject = $1', [id])
  expect(rows).toEqual([{ wrapped: Buffer.alloc(0) }])
}

/** The step fails once, as when its process ends there, and works again. */
const STEPS: Record<string, (of: World) => object> = {
  sessions: ({ services }) => vi.spyOn(services.sessions, 'revokeAll'),
  ledger: ({ services }) => vi.spyOn(services.erasure.ledger, 'add'),
  key: ({ core }) => vi.spyOn(core.keys, 'destroy'),
  place: ({ services }) => vi.spyOn(services.positions, 'remove'),
  files: ({ services }) => vi.spyOn(services.media, 'removeAll'),
  answers: ({ services }) => vi.spyOn(services.idempotency, 'forget'),
  traces: ({ services }) => vi.spyOn(services.erasure, 'forgetTraces'),
  address: ({ services }) => vi.spyOn(services.addresses, 'remove'),
  credential: ({ services }) => vi.spyOn(services.credentials, 'remove'),
  look: ({ services }) => vi.spyOn(services.erasure, 'look'),
}

test.each(Object.entries(STEPS))('interrupted at its step "%s" it completes by itself', async (_step, spyOn) => {
  const who = await world.member('Ann')
  const spy = spyOn(world) as { mockRejectedValueOnce(error: Error): void; mockRestore(): void }
  spy.mockRejectedValueOnce(new Error('interrupted'))
  onTestFinished(() => spy.mockRestore())
  await eraseAccount(erasing(world), who.id).catch((error: Error) => expect(error.message).toBe('interrupted'))
  await certified(world, who.id)
  await expectGone(world, who)
})

test('the devices of an address are forgotten with its credential, or neither is', async () => {
  const { pool } = still.core.storage
  const who = await still.member('Ann')
  const key = still.services.credentials.emailKey(who.email)
  await pool.query('insert into app.known_device (email_key, device_hash, seen_at) values ($1, $2, now())', [
    key,
    randomUUID(),
  ])
  await pool.query(`create function app.not_yet() returns trigger language plpgsql as 'begin raise ''interrupted''; end';
    create trigger not_yet before delete on app.known_device for each row execute function app.not_yet()`)
  onTestFinished(async () => {
    await pool.query('drop function if exists app.not_yet cascade')
  })
  await expect(eraseAccount(erasing(still), who.id)).rejects.toThrow('interrupted')
  await pool.query('drop function app.not_yet cascade')
  await still.settled()
  expect(await eraseAccount(erasing(still), who.id)).toMatchObject({ ok: true })
  const { rows } = await pool.query('select 1 from app.known_device where email_key = $1', [key])
  expect(rows).toEqual([])
})

test('what comes by an address while its account’s erasure waits goes with the rest', async () => {
  const who = await still.member('Ann')
  const waiting = { ...erasing(still), upToDate: async () => false }
  await expect(eraseAccount(waiting, who.id)).rejects.toThrow('Read models are behind')
  const { codes, credentials } = still.services
  const key = credentials.emailKey(who.email)
  await codes.issue('reset', key)
  await still.settled()
  expect(await eraseAccount(erasing(still), who.id)).toMatchObject({ ok: true })
  const { rows } = await still.core.storage.pool.query('select 1 from app.code where email_key = $1', [key])
  expect(rows).toEqual([])
})

test('nobody is signed in any more while read models are still waited for', async () => {
  const who = await world.member('Ann')
  const signedIn: number[] = []
  const caughtUp = async () => {
    signedIn.push((await world.services.sessions.list(who.id)).length)
    return true
  }
  await eraseAccount({ ...erasing(world), caughtUp }, who.id)
  expect(signedIn).toEqual([0])
})

test('ended by a process that died with the next breath, it is finished by another', async () => {
  const who = await world.member('Ann')
  await world.account(who, 'EraseAccount')
  await certified(world, who.id)
  await expectGone(world, who)
  const types = await typesOf(world, who.id)
  expect(types.filter((type) => type === 'ErasureCertified')).toHaveLength(1)
})

test.each(['files', 'address', 'credential'])('the next start finishes what stopped at "%s"', async (step) => {
  const who = await still.member('Ann')
  const spy = STEPS[step]!(still) as { mockRejectedValueOnce(error: Error): void; mockRestore(): void }
  spy.mockRejectedValueOnce(new Error('interrupted'))
  onTestFinished(() => spy.mockRestore())
  await expect(eraseAccount(erasing(still), who.id)).rejects.toThrow('interrupted')
  expect(await still.services.credentials.findByMember(who.id)).not.toBeNull()
  await still.settled()
  expect(await reapplyErasures(partsOf(still))).toEqual({ again: 0, finished: 1 })
  await expectGone(still, who)
  expect(await reapplyErasures(partsOf(still))).toEqual({ again: 0, finished: 0 })
})

test('a start while read models are behind leaves the end to a later one', async () => {
  const who = await still.member('Ann')
  await still.account(who, 'EraseAccount')
  await still.settled()
  const { media, positions } = still.services
  const behind = { ...still.services, upToDate: async (models?: readonly string[]) => models?.[0] === 'accounts' }
  const parts = { ...partsOf(still), services: behind }
  expect(await reapplyErasures(parts)).toEqual({ again: 0, finished: 0 })
  expect([await media.list({ member: who.id }), await positions.findRaw(who.id)]).toEqual([[], null])
  expect(await still.services.credentials.findByMember(who.id)).not.toBeNull()
  expect(await reapplyErasures(partsOf(still))).toEqual({ again: 0, finished: 1 })
  await expectGone(still, who)
})

test('a process that had no part in it forgets keys and folded streams', async () => {
  const who = await still.member('Ann', { lastName: 'Anderson' })
  const { log, storage } = still.core
  const keys = createKeyRing(storage.pool, still.secrets.masterKey)
  const codec = createCodec(keys)
  const other = { ...still.core, keys, codec, ...createDispatch({ log, codec, keys }) }
  const forgetting = await startForgetting(other, createLogger({ level: 'silent' }))
  onTestFinished(() => forgetting.stop())
  const [event] = await codec.decode(await log.read(`member-${who.id}`))
  expect(event).toMatchObject({ email: who.email })
  await eraseAccount(erasing(still), who.id)
  await until('the copy is gone', async () => {
    const [again] = await codec.decode(await log.read(`member-${who.id}`))
    return typeof (again as { email?: unknown } | undefined)?.email === 'object'
  })
})

test('a key that is asked for between the end of an account and its own is forgotten with the certificate', async () => {
  const who = await still.member('Ann', { lastName: 'Anderson' })
  const { log, storage, feed } = still.core
  const keys = createKeyRing(storage.pool, still.secrets.masterKey)
  const codec = createCodec(keys)
  async function* certificates(from: string, signal: AbortSignal) {
    for await (const batch of feed.follow(from as never, signal)) {
      const some = batch.filter(({ type }) => type === 'ErasureCertified')
      if (some.length > 0) yield some
    }
  }
  const other = { ...still.core, keys, codec, feed: { ...feed, follow: certificates } }
  const forgetting = await startForgetting(other, createLogger({ level: 'silent' }))
  onTestFinished(() => forgetting.stop())
  const email = async () => {
    const [event] = await codec.decode(await log.read(`member-${who.id}`))
    return (event as { email?: unknown }).email
  }
  expect(await email()).toBe(who.email)
  await eraseAccount(erasing(still), who.id)
  await until('the copy is gone', async () => (await email()) !== who.email)
})

test('a key that is made at the moment it is destroyed is not made', async () => {
  const { pool } = still.core.storage
  for (let round = 0; round < 20; round++) {
    const subject = randomUUID().replaceAll('-', '').slice(0, 24)
    const rings = [0, 1].map(() => createKeyRing(pool, still.secrets.masterKey))
    await Promise.all([rings[0]!.ensure([subject], () => {}), rings[1]!.destroy(subject)])
    const later = createKeyRing(pool, still.secrets.masterKey)
    const sealed = later.ensure([subject], (keys) => keys.encrypt(subject, 'context', 'plain'))
    await expect(sealed).rejects.toThrow('no key')
  }
})

test('an account that ended is certified once, and nobody is certified before', async () => {
  const who = await still.member('Ann')
  const certify = {
    type: 'CertifyErasure' as const,
    member: who.id,
    keyDestroyedAt: new Date(),
    places: 3,
    at: new Date(),
  }
  const source = { commandId: randomUUID(), actor: 'admin:test' }
  expect(await still.core.dispatch(memberDecider, certify, source)).toMatchObject({ ok: false, reason: 'unknown' })
})

test('every column of schema app that names a member or an address is looked at', async () => {
  const { rows } = await still.core.storage.pool.query<{ place: string }>(
    `select table_name || '.' || column_name as place from information_schema.columns
     where table_schema = 'app' and column_name in ('member', 'owner', 'email_key', 'subject', 'key', 'item', 'to')`,
  )
  const elsewhere = [
    // Keys: an empty row and a date stay, so that no key is made again.
    ...['subject_key.subject', 'destroyed_key.subject'],
    // The keyed hash alone, so that who was shut out does not return (security §3.3).
    ...['refused_minor.email_key', 'barred_address.email_key', 'kept_block.email_key'],
    // A row that goes with the member's.
    ...['credential.email_key', 'address.email_key'],
    // By address, which only the credential's keyed hash is compared with.
    ...['mailbox.to', 'mailbox.subject'],
    // Of projections: ids of rows and events.
    'quarantine.key',
  ]
  const known = new Set([...elsewhere, ...PERSONAL_COLUMNS.map(({ table, column }) => `${table}.${column}`)])
  expect(rows.map(({ place }) => place).filter((place) => !known.has(place))).toEqual([])
})

test('an account that a backup brought back is erased once more, and counted once', async () => {
  const who = await still.member('Ann')
  await still.settled()
  await still.services.erasure.ledger.add([who.id])
  expect(await reapplyErasures(partsOf(still))).toEqual({ again: 1, finished: 0 })
  await expectGone(still, who)
})

test('an erasure from before there were certificates gets its own at the next start, once', async () => {
  const who = await still.member('Ann')
  await still.account(who, 'EraseAccount')
  await still.settled()
  const { sessions, media, credentials } = still.services
  await sessions.revokeAll(who.id)
  await media.removeAll({ member: who.id })
  await credentials.remove(who.id)
  await still.core.keys.destroy(who.id)
  expect(await typesOf(still, who.id)).not.toContain('ErasureCertified')
  expect(await reapplyErasures(partsOf(still))).toEqual({ again: 0, finished: 1 })
  expect(await reapplyErasures(partsOf(still))).toEqual({ again: 0, finished: 0 })
  const types = await typesOf(still, who.id)
  expect(types.filter((type) => type === 'ErasureCertified')).toHaveLength(1)
})
