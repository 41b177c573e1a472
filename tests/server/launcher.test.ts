import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../../server/embedded/lifecycle/process-identity.ts'
import { postgresAccount } from '../../server/embedded/postgres/account.ts'
import { giveTo } from '../../server/embedded/postgres/cluster.ts'
import { type Postgres, type PostgresOptions, startPostgres } from '../../server/embedded/postgres/launcher.ts'
import { layCluster } from '../support/cluster.ts'
import { bundled } from '../support/programs/bundled.ts'
import { tempDir } from '../support/temp-dir.ts'
import { type Ran, runProgram } from '../support/tool.ts'
import { until } from '../support/until.ts'

const asRoot = process.getuid?.() === 0
/** Of Postgres, 3.0. */
const PROTOCOL = 196_608
const LAUNCH = fileURLToPath(new URL('./launch.ts', import.meta.url))

async function start(options: PostgresOptions): Promise<Postgres> {
  const postgres = await startPostgres({ fast: true, ...options })
  onTestFinished(() => postgres.stop())
  return postgres
}

async function rows(config: pg.ClientConfig, text: string): Promise<unknown[]> {
  const client = new pg.Client(config)
  await client.connect()
  return client
    .query(text)
    .then((result) => result.rows as unknown[])
    .finally(() => client.end())
}

/** Of a cluster that some earlier start has made. */
async function madeBefore(): Promise<string> {
  const dataDir = join(tempDir(), 'postgres')
  await layCluster(dataDir)
  return dataDir
}

type Answer = { pid: number; dataDir: string; config: pg.ClientConfig; error?: string }

/** Starts Postgres from a program of its own; `uid` makes it another user's. */
async function launch(
  dataDir: string,
  how: { env?: object; uid?: number } = {},
): Promise<Answer & { parent: ChildProcess }> {
  const user = how.uid === undefined ? {} : { uid: how.uid, gid: how.uid }
  const env = { ...process.env, HOME: '/nonexistent', ...how.env } as NodeJS.ProcessEnv
  const parent = spawn(process.execPath, [bundled(LAUNCH), dataDir], {
    ...user,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void parent.kill('SIGKILL'))
  for await (const line of createInterface(parent.stdout)) return { ...(JSON.parse(line) as Answer), parent }
  throw new Error('The program printed nothing.')
}

test('it starts, keeps rows over a restart and stops soon', async () => {
  const dataDir = join(tempDir(), 'postgres')
  const first = await start({ dataDir })
  await first.createDatabase('kept')
  await first.createDatabase('kept')
  await rows(first.clientConfig('kept'), 'create table note as select 1 as id')
  const began = performance.now()
  await first.stop()
  expect(performance.now() - began).toBeLessThan(2_000)
  expect(isAlive(first.pid)).toBe(false)
  expect(existsSync(String(first.clientConfig('kept').host))).toBe(false)

  const second = await start({ dataDir })
  expect(await rows(second.clientConfig('kept'), 'select id from note')).toEqual([{ id: 1 }])
})

test('outside of tests everything acknowledged is on the disk', async () => {
  const postgres = await start({ dataDir: join(tempDir(), 'postgres'), fast: false })
  const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'server_encoding']
  const found = await rows(
    postgres.clientConfig('postgres'),
    `select name, current_setting(name) as value from unnest(array['${names.join("','")}']) as name`,
  )
  expect(found).toEqual([
    { name: 'fsync', value: 'on' },
    { name: 'synchronous_commit', value: 'on' },
    { name: 'full_page_writes', value: 'on' },
    { name: 'listen_addresses', value: '' },
    { name: 'server_encoding', value: 'UTF8' },
  ])
})

/** A connection that gives its user's name, and no password when it is asked for one. */
function connectMutely({ host, port, user }: pg.ClientConfig): Promise<Socket> {
  const names = Buffer.from(`user\0${user}\0database\0postgres\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(head.length + names.length, 0)
  head.writeInt32BE(PROTOCOL, 4)
  const socket = connect(`${host}/.s.PGSQL.${port ?? 5_432}`)
  socket.write(Buffer.concat([head, names]))
  return new Promise((resolve) => socket.once('data', () => resolve(socket)))
}

test('a connection that never logs in is closed soon, and keeps no database from being dropped', async () => {
  const postgres = await start({ dataDir: await madeBefore() })
  await postgres.createDatabase('left')
  const socket = await connectMutely(postgres.clientConfig('postgres'))
  const closed = once(socket, 'close')
  await postgres.dropDatabase('left')
  await closed
  const wait = 'select setting::int <= 10 as is_short from pg_settings where name = $$authentication_timeout$$'
  expect(await rows(postgres.clientConfig('postgres'), wait)).toEqual([{ is_short: true }])
})

test('a second start on the same folder is refused and says who holds it', async () => {
  const dataDir = await madeBefore()
  const postgres = await start({ dataDir })
  await expect(startPostgres({ dataDir })).rejects.toThrow(
    `${dataDir} is in use by process ${process.pid}. Stop it first, or set DATA_DIR to another folder.`,
  )
  const other = await launch(dataDir)
  expect(other.error).toContain(`in use by process ${process.pid}`)
  expect(await rows(postgres.clientConfig('postgres'), 'select 1 as one')).toEqual([{ one: 1 }])
})

test('after kill -9 of the parent the next start takes over at once, with all rows', async () => {
  const dataDir = await madeBefore()
  const killed = await launch(dataDir)
  await rows(killed.config, 'create table note as select 7 as id')
  killed.parent.kill('SIGKILL')
  await until('the parent is dead', () => !isAlive(killed.parent.pid ?? 0))
  const postgres = await start({ dataDir })
  expect(isAlive(killed.pid)).toBe(false)
  expect(await rows(postgres.clientConfig('postgres'), 'select id from note')).toEqual([{ id: 7 }])
})

test('after kill -9 of parent and server the next start waits for what still runs, and recovers', async () => {
  const dataDir = await madeBefore()
  const killed = await launch(dataDir)
  const client = new pg.Client(killed.config)
  client.on('error', () => undefined)
  await client.connect()
  const busy = client.query('select pg_sleep(0.5)').catch(() => undefined)
  process.kill(killed.pid, 'SIGKILL')
  killed.parent.kill('SIGKILL')
  await until('both are dead', () => !isAlive(killed.pid) && !isAlive(killed.parent.pid ?? 0))
  const postgres = await start({ dataDir })
  expect(await rows(postgres.clientConfig('postgres'), 'select 1 as one')).toEqual([{ one: 1 }])
  await busy
})

test('a parent that is killed takes its Postgres with it, without another start', async () => {
  const killed = await launch(await madeBefore())
  killed.parent.kill('SIGKILL')
  await until('the server has stopped', () => !isAlive(killed.pid))
  await until('its socket folder is gone', () => !existsSync(String(killed.config.host)))
})

test.each([
  ['LANG unset', { LANG: undefined, LC_ALL: undefined }],
  ['a locale that is not installed', { LANG: 'en_US.UTF-8', LC_ALL: 'xx_YY' }],
])('the shell may have %s', async (_what, env) => {
  const { config, parent } = await launch(join(tempDir(), 'postgres'), { env })
  const [found] = await rows(
    config,
    "select pg_encoding_to_char(encoding) as encoding, datlocale, lower('Ä') as lower from pg_database",
  )
  expect(found).toEqual({ encoding: 'UTF8', datlocale: 'C.UTF-8', lower: 'ä' })
  parent.stdin?.end()
  await until('it has stopped', () => parent.exitCode !== null)
})

test('a folder with other files, and one of another version, are refused', async () => {
  const folder = tempDir()
  const notes = join(folder, 'notes')
  mkdirSync(notes)
  writeFileSync(join(notes, 'diary.txt'), '')
  await expect(startPostgres({ dataDir: notes })).rejects.toThrow(/holds files that are not a Postgres data folder/)

  const dataDir = join(folder, 'postgres')
  await (await start({ dataDir })).stop()
  writeFileSync(join(dataDir, 'PG_VERSION'), '11\n')
  await expect(startPostgres({ dataDir })).rejects.toThrow(
    /was made by Postgres 11, and this program brings Postgres \d+/,
  )
  expect(readdirSync(folder).sort()).toEqual(['notes', 'postgres', 'postgres-secret'])
})

test('a half-made cluster of an interrupted start is made anew', async () => {
  const dataDir = join(tempDir(), 'postgres')
  mkdirSync(`${dataDir}.new`)
  writeFileSync(join(`${dataDir}.new`, 'PG_VERSION'), '18')
  const postgres = await start({ dataDir })
  expect(await rows(postgres.clientConfig('postgres'), 'select 1 as one')).toEqual([{ one: 1 }])
})

test.runIf(asRoot)('an ordinary user starts it as itself, and root sees whose folder it is', async () => {
  const folder = tempDir()
  chownSync(folder, 1, 1)
  const dataDir = join(folder, 'data', 'postgres')
  const { parent, error } = await launch(dataDir, { uid: 1 })
  expect(error).toBeUndefined()
  expect(statSync(dataDir).uid).toBe(1)
  parent.stdin?.end()
  await until('it has stopped', () => parent.exitCode !== null)
  await expect(startPostgres({ dataDir })).rejects.toThrow(/belongs to .+, and you are root/)
})

test.runIf(asRoot)("an ordinary user sees that the folder is root's", async () => {
  const dataDir = join(tempDir(), 'postgres')
  await (await start({ dataDir })).stop()
  const { error } = await launch(dataDir, { uid: 1 })
  expect(error).toMatch(/belongs to uid \d+.+Either start as root, or set DATA_DIR to another folder/)
})

test.runIf(asRoot)('root below a closed folder keeps the data elsewhere, says where, and finds it again', async () => {
  const closed = tempDir()
  chmodSync(closed, 0o700)
  const logged: string[] = []
  const log: PostgresOptions['log'] = (level, text) => void (level === 'debug' || logged.push(text))
  const first = await start({ dataDir: join(closed, 'data', 'postgres'), log })
  onTestFinished(() => rmSync(dirname(first.dataDir), { recursive: true, force: true }))
  expect(logged.join()).toContain(first.dataDir)
  expect(first.dataDir.startsWith(closed)).toBe(false)
  await rows(first.clientConfig('postgres'), 'create table note as select 1 as id')
  await first.stop()

  chmodSync(closed, 0o755)
  const second = await start({ dataDir: join(closed, 'data', 'postgres') })
  expect(second.dataDir).toBe(first.dataDir)
  expect(await rows(second.clientConfig('postgres'), 'select id from note')).toEqual([{ id: 1 }])
})

/** Whether a program run as this user and group can connect to the socket in the folder, or see the files in another. */
function reach(as: readonly string[], host: string, dataDir: string): Promise<Ran> {
  const connect = `require('node:net').connect('${host}/.s.PGSQL.5432').on('connect', () => process.exit(0)).on('error', () => process.exit(7))`
  const look = `try { require('node:fs').readdirSync('${dataDir}'); process.exit(0) } catch {}`
  return runProgram('setpriv', [...as, '--clear-groups', process.execPath, '-e', `${look}; ${connect}`])
}

test.runIf(asRoot)(
  "no other account gets to the files or the socket of root's Postgres, not nobody either",
  async () => {
    const { dataDir, clientConfig } = await start({ dataDir: join(tempDir(), 'postgres') })
    const host = String(clientConfig('postgres').host)
    const nobody = ['--reuid=nobody', '--regid=nogroup']
    for (const as of [nobody, ['--reuid=1', '--regid=1'], ['--reuid=1000', '--regid=1000']])
      expect(await reach(as, host, dataDir)).toMatchObject({ code: 7 })
    expect((await reach(['--reuid=0', '--regid=0'], host, dataDir)).code).toBe(0)
    expect([statSync(dataDir).mode & 0o777, statSync(host).mode & 0o777]).toEqual([0o700, 0o700])
  },
)

test.runIf(asRoot)('a cluster that root ran as nobody comes to the account of its own, rows and all', async () => {
  const dataDir = join(tempDir(), 'postgres')
  const first = await start({ dataDir })
  await rows(first.clientConfig('postgres'), 'create table note as select 1 as id')
  await first.stop()
  const nobody = postgresAccount().initdbUid
  giveTo(dataDir, { ...postgresAccount(), uid: nobody })
  const second = await start({ dataDir })
  expect(await rows(second.clientConfig('postgres'), 'select id from note')).toEqual([{ id: 1 }])
  const owners = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map(
    (name) => statSync(join(dataDir, name)).uid,
  )
  expect([...new Set(owners)]).toEqual([postgresAccount().uid])
  expect(postgresAccount().uid).not.toBe(nobody)
})
