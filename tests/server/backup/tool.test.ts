import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startLogServer } from '../../../eventstore/embedded/server.ts'
import { DEMO_LOGIN } from '../../../server/demo/login.ts'
import { freePort, type Program, startProgram } from '../../drills/program-child.ts'
import { layCluster } from '../../support/cluster.ts'
import { freshDatabase, runIn } from '../../support/fresh-database.ts'
import type { Template } from '../../support/postgres.ts'
import { databaseUrl } from '../../support/servers/database-url.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { runTool, runToolHere } from '../../support/tool.ts'
import { until } from '../../support/until.ts'

const folder = makeTempDir('letsbuzz-backup-tool-')
afterAll(() => rm(folder, { recursive: true, force: true }))

/** As a first start makes them. */
const OTHER_SECRETS = {
  masterKey: Buffer.alloc(32, 5).toString('base64'),
  emailPepper: 'q'.repeat(32),
  mediaSecret: 'n'.repeat(32),
}

test('a data folder that was lost comes back with one command, and half of a restore is not served', async () => {
  const DATA_DIR = join(folder, 'data')
  const backup = join(folder, 'backups', 'one')
  await mkdir(join(folder, 'backups'))
  await mkdir(DATA_DIR)
  await layCluster(join(DATA_DIR, 'postgres'))
  expect(await runToolHere('seed', ['--members', '1'], { DATA_DIR })).toMatchObject({ code: 0 })
  const granted = await runToolHere('admin', ['grant', 'auditor', DEMO_LOGIN.email], { DATA_DIR })
  expect(granted).toMatchObject({ code: 0 })
  const made = await runToolHere('backup', ['create', backup], { DATA_DIR })
  expect([made.code, made.err.trim().split('\n').at(-1)]).toEqual([0, expect.stringContaining('100 %')])
  expect((await runToolHere('backup', ['restore', backup], { DATA_DIR })).err).toContain('Add --force')
  const wrongKey = { DATA_DIR, MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  const whole = join(folder, 'with-secrets')
  expect(await runToolHere('backup', ['create', whole, '--with-secrets'], { DATA_DIR })).toMatchObject({ code: 0 })
  const refused = await runToolHere('backup', ['create', join(folder, 'backups', 'two')], wrongKey)
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('is under another MASTER_KEY')])
  expect(await readdir(join(folder, 'backups'))).toEqual(['one'])
  await mkdir(join(folder, 'backups', 'strange'))
  await writeFile(join(folder, 'backups', 'strange', 'manifest.json'), '{}')
  const secrets = await readFile(join(DATA_DIR, 'secrets.json'))
  await rm(DATA_DIR, { recursive: true })
  for (const command of ['verify', 'restore'])
    expect((await runToolHere('backup', [command, backup], { DATA_DIR })).err).toContain(
      'Nothing here opens the backup',
    )
  expect(await runToolHere('backup', ['verify', whole], { DATA_DIR })).toMatchObject({ code: 0 })
  expect(existsSync(DATA_DIR)).toBe(false)
  await mkdir(DATA_DIR)
  await writeFile(join(DATA_DIR, 'secrets.json'), JSON.stringify(OTHER_SECRETS))
  for (const command of ['verify', 'restore'])
    expect(await runToolHere('backup', [command, whole], { DATA_DIR })).toMatchObject({
      code: 1,
      err: `${join(DATA_DIR, 'secrets.json')} is of another product than the backup in ${whole}, which brings its own. Move it to where it is kept (what it seals cannot be read without it), and run this again.\n`,
    })
  expect(await readdir(DATA_DIR)).toEqual(['secrets.json'])
  await writeFile(join(DATA_DIR, 'secrets.json'), secrets)
  await writeFile(join(DATA_DIR, 'restoring'), '')
  expect((await runToolHere('admin', ['find', DEMO_LOGIN.email], { DATA_DIR })).err).toContain(
    'A restore was interrupted here',
  )
  const restored = await runTool('backup', ['restore', backup], { DATA_DIR })
  expect(restored).toMatchObject({ code: 0 })
  expect(restored.out).toMatch(/Restored the backup of .*: \d+ events in /)
  expect(restored.out).toMatch(/roles are those of then. Who has one:\n[0-9a-z]{24} {2}auditor\n$/)
  expect(restored.err).toContain('backups/strange was not asked who was erased: it was altered, or made under another')
  expect((await runToolHere('admin', ['find', DEMO_LOGIN.email], { DATA_DIR })).out).toMatch(
    /^[0-9a-z]{24}: active, synthetic/,
  )
}, 180_000)

const KEYS = {
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  EMAIL_PEPPER: 'p'.repeat(32),
  MEDIA_SECRET: 'm'.repeat(32),
}
const COUNTS = `
  select (select count(*) from app.credential)::int as members, (select count(*) from log.event)::int as events,
    (select count(*) from read.profile)::int as profiles`

/** The product below a folder, with its database on a Postgres server. */
const environmentOf = (below: string, database: pg.ClientConfig) => ({
  DATA_DIR: join(below, 'data'),
  DATABASE_URL: databaseUrl(database),
})
const backupOf = (below: string) => join(below, 'backups', 'one')

/** Made once, in a folder beside its database: each test has a copy of both. */
const oneMember: Template = {
  name: `one_member_${randomUUID()}`,
  async migrate(database) {
    const env = environmentOf(join(folder, 'shared'), database)
    await mkdir(join(folder, 'shared', 'backups'), { recursive: true })
    expect(await runToolHere('seed', ['--members', '1'], env)).toMatchObject({ code: 0 })
    const made = await runToolHere('backup', ['create', backupOf(join(folder, 'shared'))], env)
    expect(made).toMatchObject({ code: 0 })
  },
}

/** A product of one member on a Postgres server, as several processes share it, and its backup. */
async function sharedProduct() {
  const database = await freshDatabase({ template: oneMember })
  onTestFinished(() => database.drop())
  const below = tempDir()
  await cp(join(folder, 'shared'), below, { recursive: true })
  return { env: environmentOf(below, database.config), database, backup: backupOf(below) }
}

/** A projector alone, as on another machine, its connections named by an operator; its log has stopped. */
async function idleProjector({ env, database }: Awaited<ReturnType<typeof sharedProduct>>): Promise<Program> {
  const dataDir = tempDir()
  await copyFile(join(env.DATA_DIR, 'secrets.json'), join(dataDir, 'secrets.json'))
  const log = await startLogServer({ database: database.config })
  const named = {
    DATABASE_URL: `${env.DATABASE_URL}&application_name=operations`,
    EVENTSTORE_URL: log.connectionString,
    ROLES: 'projector',
  }
  const program = await startProgram({ dataDir, port: await freePort(), env: named }).finally(() => log.stop())
  onTestFinished(() => program.stop())
  return program
}

test('a restore is refused while a process of its product runs elsewhere, and then fills with a log of its own', async () => {
  const shared = await sharedProduct()
  const { env, database, backup } = shared
  const restore = (more: Record<string, string> = {}) =>
    runToolHere('backup', ['restore', backup, '--force'], { ...env, ...more })
  const before = (await database.run(COUNTS)).rows
  const unchanged = async () => {
    expect((await database.run(COUNTS)).rows).toEqual(before)
    expect(existsSync(join(env.DATA_DIR, 'restoring'))).toBe(false)
  }

  const log = new pg.Client(database.config)
  await log.connect()
  await log.query(`select pg_advisory_lock(hashtext('log-server'))`)
  const withLog = await restore()
  expect([withLog.code, withLog.err]).toEqual([1, 'A log server runs on this database. Stop it first.\n'])
  await unchanged()
  await log.end()

  const projector = await idleProjector(shared)
  const withProcess = await restore()
  expect([withProcess.code, withProcess.err]).toEqual([
    1,
    'A process of the product is connected to this database. Stop it first.\n',
  ])
  await unchanged()
  await projector.stop()

  const plan = join(env.DATA_DIR, 'demo-world.jsonl')
  await writeFile(plan, 'of members that the restore takes away')
  const alone = await restore({ EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' })
  expect([alone.code, alone.err.split('\n').filter((line) => !line.includes(' %'))]).toEqual([0, ['']])
  expect((await runIn(database.config, COUNTS)).rows).toEqual(before)
  expect(existsSync(plan)).toBe(false)
}, 180_000)

const MARKED = `select from pg_namespace where nspname = 'half_restored'`
const LOCKED = `from pg_locks where locktype = 'advisory' and granted and objid = hashtext('product-process')::oid
  and database = (select oid from pg_database where datname = current_database())`

test('half of a restore is known to whoever has the database, until it is restored', async () => {
  const { env, database, backup } = await sharedProduct()
  const other = { ...env, DATA_DIR: tempDir() }
  await copyFile(join(env.DATA_DIR, 'secrets.json'), join(other.DATA_DIR, 'secrets.json'))
  const restoring = runToolHere('backup', ['restore', backup, '--force'], env)
  await until('the restore has begun', async () => (await database.run(MARKED)).rowCount === 1)
  await database.run(`select pg_terminate_backend(pid) ${LOCKED}`)
  expect(await restoring).toMatchObject({
    code: 1,
    err: expect.stringContaining('The connection that keeps others out was lost'),
  })

  const refused = { code: 1, out: '', err: expect.stringContaining('A restore was interrupted here.') }
  expect(await runToolHere('backup', ['create', `${backup}-of-half`], other)).toMatchObject(refused)
  expect(existsSync(`${backup}-of-half`)).toBe(false)
  expect(await runToolHere('admin', ['find', DEMO_LOGIN.email], other)).toMatchObject(refused)

  expect(await runToolHere('backup', ['restore', backup], other)).toMatchObject({ code: 0 })
  expect((await runToolHere('admin', ['find', DEMO_LOGIN.email], other)).out).toContain('active, synthetic')
}, 180_000)

/** Both locks of a restore, as soon as nobody else has them. */
async function restoreAtWork({ database }: Awaited<ReturnType<typeof sharedProduct>>): Promise<pg.Client> {
  const restore = new pg.Client(database.config)
  await restore.connect()
  onTestFinished(() => restore.end())
  for (const name of ['log-server', 'product-process'])
    await restore.query('select pg_advisory_lock(hashtext($1))', [name])
  return restore
}

test('a start beside a restore is refused for its sake, not for the log server that cannot write', async () => {
  const shared = await sharedProduct()
  await restoreAtWork(shared)
  const RESTORING = 'This database is being restored. Start again once the restore has ended.\n'
  const tool = await runToolHere('admin', ['find', DEMO_LOGIN.email], shared.env)
  expect([tool.code, tool.err]).toEqual([1, RESTORING])
  const log = await runToolHere('log', ['--port', '0'], shared.env)
  expect([log.code, log.err]).toEqual([1, RESTORING])
  const { DATA_DIR: dataDir, ...env } = shared.env
  const program = startProgram({ dataDir, port: await freePort(), env: { ...env, ROLES: 'log,projector' } })
  await expect(program).rejects.toThrow(`LetsBuzz is starting …\n${RESTORING}`)
}, 180_000)

test('a process that had lost the database and comes back to a restore stops with an error', async () => {
  const shared = await sharedProduct()
  const projector = await idleProjector(shared)
  const restoring = restoreAtWork(shared)
  const waits = `select from pg_locks where not granted and locktype = 'advisory'`
  await until('the restore waits', async () => (await shared.database.run(waits)).rowCount === 1)
  await shared.database.run(`select pg_terminate_backend(pid) ${LOCKED}`)
  await restoring
  const { code, output } = await projector.ended
  expect([code, output]).toEqual([1, expect.stringContaining('This database is being restored.')])
  expect(output).not.toContain('Not everything had stopped')
}, 180_000)

test('keys in the environment are not what --with-secrets could copy', async () => {
  const DATA_DIR = tempDir()
  const backup = join(DATA_DIR, 'backup')
  const made = await runToolHere('backup', ['create', backup, '--with-secrets'], { DATA_DIR, ...KEYS })
  expect(made).toMatchObject({ code: 2, out: '' })
  expect(made.err).toContain('The keys are in the environment; keep them apart from the backup.')
  expect(await readdir(DATA_DIR)).toEqual([])
})
