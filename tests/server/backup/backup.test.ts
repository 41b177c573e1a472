import { existsSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { isErased } from '../../../domain/shared/personal.ts'
import { START } from '../../../domain/shared/recorded.ts'
import { fromPosition } from '../../../eventstore/position.ts'
import { masterKeyId } from '../../../server/keys/master-keys.ts'
import { withoutProcesses } from '../../../server/process-lock.ts'
import { openStorage } from '../../../server/storage.ts'
import { createBackup } from '../../../server/tools/backup/create.ts'
import { BackupDamaged, manifestText, readManifest, verifyFiles } from '../../../server/tools/backup/manifest.ts'
import { restoreBackup, TargetNotEmpty } from '../../../server/tools/backup/restore.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { createErasedLedger, ledgerPathOf } from '../../../services/erased-ledger.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { turnOn } from '../../support/outside/authenticator.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { wrong } from '../../support/wrong.ts'
import { emptyTarget, rowsOf, sourceOf, startOn } from './rig.ts'

let world: World
let ann: Person
let bea: Person
const folder = makeTempDir('letsbuzz-backups-')
const at = (name: string) => join(folder, name)

beforeAll(async () => {
  world = await startWorld({ web: false })
  ann = await world.member('Ann', { location: { lat: 40, lng: 10 } })
  bea = await world.member('Bea')
  await world.match(ann, bea)
  await world.settled()
  await world.sendMessage(ann, bea, 'Hello from Ann')
  await world.sendMessage(bea, ann, 'Hello from Bea')
  await world.services.mailer.send({ to: bea.email, subject: 'A code', text: '1', html: '' })
  await world.settled()
})
afterAll(async () => {
  await world.stop()
  await rm(folder, { recursive: true, force: true })
})

async function target(ledger?: ReturnType<typeof createErasedLedger>) {
  const made = await emptyTarget(world, ledger)
  onTestFinished(() => made.drop())
  return made
}

const noProgress = () => undefined

test('a product that comes back from a backup differs in no row, event, key or picture', async () => {
  const source = sourceOf(world)
  const seen: number[] = []
  const { manifest, missing } = await createBackup(
    { ...source, at: (done, total) => seen.push(done / total) },
    at('one'),
  )
  expect(missing).toBe(0)
  expect(seen.every((share, index) => share <= 1 && share >= (seen[index - 1] ?? 0) * 0.5)).toBe(true)
  await verifyFiles(at('one'), await readManifest(at('one'), source.masterKey), noProgress)
  const empty = await target()
  await restoreBackup(empty, at('one'))
  const restored = await startOn(empty, world)
  onTestFinished(restored.stop)
  const { core, services } = restored.product
  expect(await rowsOf(core.storage.pool)).toEqual(await rowsOf(world.core.storage.pool))
  expect(await core.log.readAll(START, 5_000)).toEqual(await world.core.log.readAll(START, 5_000))
  expect(manifest.tables.find(({ schema }) => schema === 'log')?.rows).toBe(
    (await core.log.readWhole(START, 5_000)).length,
  )
  const [picture] = await world.services.media.list({ member: ann.id })
  const path = ['media', picture!.id.slice(0, 2), picture!.id.slice(2, 4), picture!.id]
  expect(await readFile(join(empty.dataDir, ...path))).toEqual(await readFile(join(world.dataDir, ...path)))
  // Numbers that the database gives out go on.
  await services.mailer.send({ to: bea.email, subject: 'Another', text: '2', html: '' })
  expect((await restored.product.mailbox?.list({ to: bea.email }))?.map(({ subject }) => subject)).toContain('Another')
})

test('no session, known browser, sign-in under way, code or link comes back, and every member is mailed that an old password may', async () => {
  const { codes, credentials, challenges, undoLinks } = world.services
  await codes.issue('reset', credentials.emailKey(ann.email))
  const { passwordHash = null } = (await credentials.findByMember(ann.id)) ?? {}
  expect(await challenges.issue({ member: ann.id, passwordHash, remember: false })).not.toBeNull()
  await turnOn(world.services, ann.id)
  expect(await undoLinks.issue(ann.id)).not.toBeNull()
  const known = { email_key: credentials.emailKey(ann.email), device_hash: Buffer.alloc(32), seen_at: new Date() }
  await world.core.storage.app.insertInto('known_device').values(known).execute()
  const { manifest } = await createBackup(sourceOf(world), at('sessions'))
  const empty = await target()
  await restoreBackup({ ...empty, now: () => new Date('2026-11-22T18:30:00Z') }, at('sessions'))
  const restored = await startOn(empty, world)
  onTestFinished(restored.stop)
  const { services, core, mailbox } = restored.product
  expect(await services.sessions.find(ann.token)).toBeNull()
  for (const table of ['known_device', 'code', 'sign_in_challenge', 'undo_link'] as const)
    expect(await core.storage.app.selectFrom(table).selectAll().execute()).toEqual([])
  await until('nobody is owed a notice', async () => {
    const owed = await core.storage.app.selectFrom('restore_notice').selectAll().execute()
    return owed.length === 0
  })
  for (const { email } of [ann, bea]) {
    const mails = (await mailbox?.list({ to: email }))?.filter(({ subject }) => subject.includes('restored')) ?? []
    expect(mails).toHaveLength(1)
    const made = `${manifest.madeAt.slice(0, 16).replace('T', ' ')} UTC`
    expect(mails[0]?.text).toContain(`between ${made} and 2026-11-22 18:30 UTC is lost`)
  }
})

test('the mail counts from the moment of the rows', async () => {
  const asked = Date.parse('2026-11-22T18:00:00Z')
  let written = 0
  const now = () => new Date(asked + written)
  const at = (done: number) => {
    written = done
  }
  const { manifest } = await createBackup({ ...sourceOf(world), now, at }, join(folder, 'moment'))
  expect(written).toBeGreaterThan(0)
  expect(manifest.madeAt).toBe('2026-11-22T18:00:00.000Z')
})

test('a backup is made while the product runs, and holds every event before it was asked for', async () => {
  let stop = false
  const writing = (async () => {
    for (let number = 0; !stop; number++) await world.sendMessage(ann, bea, `And ${number}`)
  })()
  const head = await world.core.log.head()
  const { manifest } = await createBackup(sourceOf(world), at('online'))
  stop = true
  await writing
  expect(manifest.position).toBeGreaterThanOrEqual(Number(fromPosition(head).commit))
  const empty = await target()
  await restoreBackup(empty, at('online'))
  const restored = await startOn(empty, world)
  onTestFinished(restored.stop)
  const events = await restored.product.core.codec.decode(await restored.product.core.log.readAll(START, 5_000))
  const fields = events.flatMap((event) => Object.values(event))
  expect(fields.some((field) => isErased(wrong(field)))).toBe(false)
})

test('it is refused where a product is, where a file was altered, and under another master key', async () => {
  const source = sourceOf(world)
  const own = { ...source, force: false }
  await expect(restoreBackup(own, at('one'))).rejects.toThrow(TargetNotEmpty)
  await expect(createBackup(source, at('one'))).rejects.toThrow('exists already')
  await expect(readManifest(at('one'), Buffer.alloc(32, 1))).rejects.toThrow(BackupDamaged)
  await createBackup(source, at('harmed'))
  const empty = await target()
  const events = join(at('harmed'), 'log', 'event.copy')
  const bytes = await readFile(events)
  bytes[bytes.length >> 1]! ^= 1
  await writeFile(events, bytes)
  await expect(restoreBackup(empty, at('harmed'))).rejects.toThrow('log/event.copy is not what the backup stored')
  const manifest = join(at('harmed'), 'manifest.json')
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replace(/"position": \d+/, '"position": 1'))
  await expect(restoreBackup(empty, at('harmed'))).rejects.toThrow('was altered')
  expect(existsSync(join(empty.dataDir, 'restoring'))).toBe(false)
})

test('none is made under a key that the product does not seal with', async () => {
  const { pool } = world.core.storage
  const source = sourceOf(world)
  const wrongKey = { ...source, masterKey: [Buffer.alloc(32, 5), world.secrets.masterKey] as const }
  const refused = async (of: typeof source | typeof wrongKey, why: string) => {
    await expect(createBackup(of, at('refused'))).rejects.toThrow(why)
    expect((await readdir(folder)).filter((name) => name.startsWith('refused'))).toEqual([])
  }
  await refused(wrongKey, `is under another MASTER_KEY (${masterKeyId(source.masterKey)})`)
  await pool.query('update app.master_key set retiring_at = now()')
  await refused(source, 'was taken out of use')
  // As a release that noted no keys left it.
  const { rows } = await pool.query<{ id: string }>('delete from app.master_key returning id')
  await refused(wrongKey, 'is under another MASTER_KEY (unnamed)')
  await createBackup(source, at('unnoted'))
  await pool.query('insert into app.master_key (id) values ($1)', [rows[0]!.id])
})

test('who was erased since stays erased, by the ledger, by a newer backup or by what is replaced', async () => {
  await createBackup(sourceOf(world), at('older'))
  const parts = { ...world.product, now: () => new Date() }
  expect(await eraseAccount(erasingOf(parts, 'admin:test'), ann.id)).toMatchObject({ ok: true })
  await world.settled()

  const byLedger = await target(sourceOf(world).ledger)
  await mkdir(at('of-another-key'))
  const foreign = manifestText(Buffer.alloc(32, 5), await readManifest(at('older'), world.secrets.masterKey))
  await writeFile(join(at('of-another-key'), 'manifest.json'), foreign)
  const unasked = [at('harmed'), at('of-another-key')]
  expect(await restoreBackup(byLedger, at('older'))).toMatchObject({ erased: 1, unasked })
  await gone(byLedger)

  // As on a machine whose disk was lost with the ledger.
  const { ledger: _lost, ...alone } = sourceOf(world)
  await createBackup({ ...alone, ledger: sourceOf(world).ledger }, at('newer'))
  const byNewer = await target()
  expect((await restoreBackup(byNewer, at('older'))).erased).toBe(1)
  await gone(byNewer)

  await mkdir(at('elsewhere'))
  await symlink(at('older'), at('elsewhere/latest'))
  expect((await restoreBackup(await target(), at('elsewhere/latest'))).erased).toBe(1)
  await rm(at('newer'), { recursive: true })
  const replaced = await target()
  await restoreBackup(replaced, at('older'))
  const before = await startOn(replaced, world)
  expect(await before.product.services.credentials.findByMember(ann.id)).not.toBeNull()
  await eraseAccount(erasingOf({ ...before.product, now: () => new Date() }, 'admin:test'), ann.id)
  await before.stop()
  const withoutLedger = { ...replaced, ledger: createErasedLedger(await freshFolder()), force: true }
  expect((await restoreBackup(withoutLedger, at('older'))).erased).toBe(1)
  await gone(withoutLedger)
})

/** Ends the connections that keep others out of a restore, at its first row. */
async function losing(of: Awaited<ReturnType<typeof target>>) {
  const client = new pg.Client(of.app)
  await client.connect()
  const kill = () =>
    client.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
       and database = (select oid from pg_database where datname = current_database())`,
    )
  let killing = false
  return {
    ...of,
    at(what: string) {
      if (what !== 'Restoring' || killing) return
      killing = true
      void kill().finally(() => client.end())
    },
  }
}

test('a restore that no longer keeps others out ends, and nothing starts on what it leaves', async () => {
  const half = await target()
  await createBackup(sourceOf(world), at('whole'))
  const lost = 'The connection that keeps others out was lost: terminating connection due to administrator command'
  await expect(restoreBackup(await losing(half), at('whole'))).rejects.toThrow(lost)
  expect(existsSync(join(half.dataDir, 'restoring'))).toBe(true)
  await expect(openStorage(half.app)).rejects.toThrow('A restore was interrupted here')
  const source = { ...sourceOf(world), ...half }
  await expect(createBackup(source, at('of-half'))).rejects.toThrow('A restore was interrupted here')
  expect(existsSync(at('of-half'))).toBe(false)
  await restoreBackup(half, at('whole'))
  expect(existsSync(join(half.dataDir, 'restoring'))).toBe(false)
  await (await openStorage(half.app)).close()
})

test('what the log needs is read after it: keys, pictures and addresses', async () => {
  await createBackup(sourceOf(world), at('in-order'))
  const { tables } = await readManifest(at('in-order'), world.secrets.masterKey)
  const names = tables.map(({ schema, name }) => `${schema}.${name}`)
  const log = names.indexOf('log.event')
  for (const name of ['address', 'media', 'subject_key', 'destroyed_key'])
    expect(names.indexOf(`app.${name}`), name).toBeGreaterThan(log)
  expect(log).toBeGreaterThan(names.indexOf('app.credential'))
})

test('no backup is made while a restore is at work', async () => {
  const empty = await target()
  const made = withoutProcesses(empty.app, () => createBackup({ ...sourceOf(world), ...empty }, at('meanwhile')))
  await expect(made).rejects.toThrow('This database is being restored')
})

/** The product starts on it, and knows Ann no more. */
async function gone(of: Awaited<ReturnType<typeof target>>): Promise<void> {
  const restored = await startOn(of, world)
  const { core, services } = restored.product
  expect(await services.credentials.findByMember(ann.id)).toBeNull()
  expect(await services.addresses.find(services.credentials.emailKey(ann.email))).toBeNull()
  expect(await services.sessions.find(ann.token)).toBeNull()
  expect(await services.media.list({ member: ann.id })).toEqual([])
  expect(await services.positions.findRaw(ann.id)).toBeNull()
  expect((await rowsOf(core.storage.pool)).join('\n')).not.toContain('Hello from Ann')
  expect((await rowsOf(core.storage.pool)).join('\n')).toContain('Hello from Bea')
  const own = await core.log.read(`member-${ann.id}`)
  expect(own.map(({ type }) => type).slice(-2)).toEqual(['AccountErased', 'ErasureCertified'])
  await restored.stop()
}

test('a line of the ledger that a crash interrupted is skipped, and either copy of it will do', async () => {
  const dataDir = await freshFolder()
  const ledger = createErasedLedger(dataDir)
  await ledger.add([ann.id])
  await appendFile(join(dataDir, 'erased'), bea.id.slice(0, 9))
  await ledger.add([bea.id])
  expect(await ledger.read()).toEqual(new Set([ann.id, bea.id]))
  await rm(join(dataDir, 'erased'))
  expect(await ledger.read()).toEqual(new Set([ann.id, bea.id]))
  await ledger.add([ann.id])
  await rm(ledgerPathOf(dataDir))
  expect(await ledger.read()).toEqual(new Set([ann.id]))
})

const freshFolder = () => mkdtemp(join(folder, 'fresh-'))
