import { rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { DomainEvent } from '../../domain/all-events.ts'
import { type MemberId, pairIdOf } from '../../domain/shared/ids.ts'
import { idFrom, uuidFrom } from '../../eventstore/ids.ts'
import { withRebuildLock } from '../../projections/engine/care/rebuild-lock.ts'
import { loadConfig } from '../../server/config.ts'
import { announce, openDataDir, withdraw } from '../../server/data-dir.ts'
import { superviseLog } from '../../server/embedded/log/supervise-log.ts'
import { startPostgres } from '../../server/embedded/postgres/launcher.ts'
import { createProduct } from '../../server/product.ts'
import { openSecrets } from '../../server/secrets.ts'
import { createLogger } from '../../services/log.ts'
import { freePort } from '../drills/program-child.ts'
import { layCluster } from '../support/cluster.ts'
import { serveWeb } from '../support/described/serve-web.ts'
import { makeTempDir } from '../support/temp-folder.ts'
import { runProgram, runToolHere } from '../support/tool.ts'
import { until } from '../support/until.ts'

// Each starts processes of its own, one after the other.
vi.setConfig({ testTimeout: 240_000 })

const PATIENCE_MS = 30_000
const folder = makeTempDir('letsbuzz-projections-')
const DATA_DIR = join(folder, 'data')
const [ann, bea, cleo] = ['Ann', 'Bea', 'Cleo'].map((name) => idFrom('tool', name) as MemberId) as [
  MemberId,
  MemberId,
  MemberId,
]
const at = new Date('2026-03-01T10:00:00Z')

const run = (...words: readonly string[]) => runToolHere('projections', words, { DATA_DIR })

/** The product as `npm start` makes it: Postgres, the log in a process of its own, projector and web port. */
async function startProduct() {
  const config = { ...loadConfig({ DATA_DIR }), port: await freePort() }
  openDataDir(DATA_DIR)
  const postgres = await startPostgres({ dataDir: join(DATA_DIR, 'postgres'), fast: true })
  await Promise.all([postgres.createDatabase('letsbuzz'), postgres.createDatabase('log')])
  const databases = { app: postgres.clientConfig('letsbuzz'), log: postgres.clientConfig('log') }
  const log = await superviseLog({ database: databases.log, port: 0 }, () => undefined)
  const eventstoreUrl = log.report.connectionString
  const publicUrl = `http://localhost:${config.port}`
  const common = { config, publicUrl, now: () => new Date(), logger: createLogger({ level: 'silent' }) }
  const stores = { database: databases.app, log: eventstoreUrl, logTable: databases.log, secrets: openSecrets(config) }
  const product = await createProduct({ ...common, stores })
  await product.start()
  const http = await serveWeb({ ...common, product, port: config.port })
  announce(DATA_DIR, { databases, eventstoreUrl })
  return {
    product,
    url: publicUrl,
    logDatabase: databases.log,
    async stop() {
      withdraw(DATA_DIR)
      await http.close()
      await product.stop()
      await log.stop()
      await postgres.stop()
    },
  }
}

let running: Awaited<ReturnType<typeof startProduct>>
const pool = () => running.product.core.storage.pool

async function append(stream: string, ...events: DomainEvent[]): Promise<void> {
  const { codec, log } = running.product.core
  const ids = events.map((_, index) => uuidFrom(stream, index))
  const meta = { commandId: ids[0]!, correlationId: ids[0]!, causationId: ids[0]!, actor: 'system' }
  await log.append(stream, 'no_stream', await codec.encode(stream, events, ids, meta))
}
const onLog = async (text: string, values: readonly unknown[]) => {
  const client = new pg.Client(running.logDatabase)
  await client.connect()
  await client.query(text, [...values]).finally(() => client.end())
}
const settled = async () => running.product.caughtUp(await running.product.core.log.head(), undefined, PATIENCE_MS)

beforeAll(async () => {
  openDataDir(DATA_DIR)
  await layCluster(join(DATA_DIR, 'postgres'))
  running = await startProduct()
  for (const member of [ann, bea, cleo]) {
    const email = `${member}@example.com`
    const registered = { type: 'MemberRegistered', member, email, termsVersion: '1', demo: false, at } as const
    await append(`member-${member}`, registered, { type: 'AccountDeactivated', member, at })
  }
  for (const [from, to] of [
    [ann, bea],
    [bea, cleo],
  ] as const)
    await append(`pair-${pairIdOf(from, to)}`, { type: 'Buzzed', from, to, via: 'discover', at })
  expect(await settled()).toBe(true)
})
afterAll(async () => {
  await running.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('new tables are planned, filled, left, swapped in, swapped back and dropped', async () => {
  const [plan, left, shared, none] = await Promise.all([
    run('rebuild', 'accounts', '--dry-run'),
    run('rebuild', 'profiles', '--no-swap'),
    run('rebuild', 'relations'),
    run('swap', 'discover'),
  ])
  expect(plan).toMatchObject({ code: 0, err: '' })
  expect(plan.out).toMatch(/^accounts: fills new tables\n {2}readers see p_accounts_v\d+ at \w+\n/)
  expect(plan.out).toContain("reads the log's table")
  expect(left).toMatchObject({ code: 0 })
  expect(left.out).toContain('rows, the same')
  // From the call on, however few events there are: none is folded in microseconds.
  for (const [, rate] of left.err.matchAll(/(\d+)\/s /g)) expect(Number(rate)).toBeLessThan(100_000)
  expect(left.err).toMatch(/^profiles {2}\d+ % .* \d+\/s /)
  expect(left.out).toContain('Readers of profiles see what they saw. "swap profiles" takes the new tables')
  expect(shared).toMatchObject({ code: 0 })
  expect(shared.out).toMatch(/Readers of relations see p_relations_v\d+_2\.\n$/)
  expect(none).toMatchObject({ code: 1, out: '' })
  expect(none.err).toContain('There are no filled tables of discover to swap in. See rebuild --no-swap.')

  const [swapped, back] = await Promise.all([run('swap', 'profiles'), run('rollback', 'relations')])
  expect(swapped).toMatchObject({ code: 0 })
  expect(swapped.out).toMatch(/Readers of profiles see p_profiles_v\d+_2\.\n$/)
  expect(back).toMatchObject({ code: 0 })
  expect(back.out).toMatch(/Readers of relations see p_relations_v\d+ again\.\n$/)
  const gone = await run('drop', 'relations')
  expect(gone).toMatchObject({ code: 0, out: expect.stringMatching(/^Removed p_relations_v\d+_2\.\n$/) })
  expect(await settled()).toBe(true)
})

test('what is live is compared, a forged row is named with its events, and readers keep what they had', async () => {
  const row = await run('explain', 'accounts', ann)
  expect(row).toMatchObject({ code: 0 })
  expect(row.out).toContain(`account ${ann}: a row by 2 events`)
  expect(row.out).toContain('AccountDeactivated')

  await pool().query('update read.account set demo = true where member = $1', [bea])
  const verified = await run('verify', 'accounts')
  expect(verified).toMatchObject({ code: 1 })
  expect(verified.out).toContain(`${bea} differs in demo`)
  expect(verified.out).toContain(`What touched them, by the log:\n  account ${bea}: a row by 2 events`)
  const stopped = await run('rebuild', 'accounts')
  expect(stopped).toMatchObject({ code: 1 })
  expect(stopped.out).toContain('Readers of accounts see what they saw.')
  expect((await pool().query('select demo from read.account where member = $1', [bea])).rows).toEqual([{ demo: true }])
  expect(await run('swap', 'accounts')).toMatchObject({ code: 0 })
  expect((await pool().query('select demo from read.account where member = $1', [bea])).rows).toEqual([{ demo: false }])
})

test('while one rebuild lives another is refused, in words', async () => {
  await withRebuildLock(pool(), 'accounts', async () => {
    const { code, out, err } = await run('rebuild', 'accounts')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain('Another rebuild of accounts is under way. Wait for it, or stop it.')
  })
})

type Detail = { name: string; paused?: boolean }
async function pausedByReadiness(): Promise<string[] | null> {
  const answer = await fetch(`${running.url}/readyz`)
  const { roles } = (await answer.json()) as { roles: { role: string; detail?: Detail[] }[] }
  const detail = roles.find(({ role }) => role === 'projector')?.detail ?? []
  return answer.status === 200 ? detail.filter(({ paused }) => paused).map(({ name }) => name) : null
}

test('a paused read model stands still, says so at /readyz, which stays ready, and in status, and resumes', async () => {
  expect(await run('pause', 'accounts')).toMatchObject({
    code: 0,
    out: 'accounts stands still until "resume accounts".\n',
  })
  await until('it says so', async () => (await pausedByReadiness())?.join() === 'accounts', PATIENCE_MS)
  const [again, status] = await Promise.all([run('pause', 'accounts'), run('status', 'accounts')])
  expect(again).toMatchObject({ code: 0, out: 'accounts is paused already.\n' })
  expect(status).toMatchObject({ code: 0, out: expect.stringMatching(/^accounts {2}is paused since \S+Z\n/) })
  const resumed = await run('resume', 'accounts')
  expect(resumed).toMatchObject({ code: 0, out: 'accounts runs again.\n' })
  await until('it resumes', async () => (await pausedByReadiness())?.length === 0, PATIENCE_MS)
  expect(await settled()).toBe(true)
})

test('an event in quarantine is explained and stays there until it can be taken; one that was mended is applied', async () => {
  const [stream, poison] = [`member-${cleo}`, uuidFrom('poison')]
  const broken = { id: poison, type: 'AccountReactivated', data: { member: 7 }, metadata: { schema: 1 } }
  await running.product.core.log.append(stream, 1, [broken])
  await until(
    'it is in quarantine',
    async () => (await pool().query('select from app.quarantine')).rowCount,
    PATIENCE_MS,
  )
  const [explained, still, strict] = await Promise.all([
    run('explain', poison),
    run('retry', poison),
    run('rebuild', 'accounts'),
  ])
  expect(explained).toMatchObject({ code: 0 })
  expect(explained.out).toContain(`AccountReactivated ${poison} @2`)
  expect(explained.out).toContain('its fields do not fit or its seal is broken')
  expect(still).toMatchObject({ code: 1 })
  expect(still.out).toContain(`accounts: ${cleo} stays in quarantine: `)
  expect(strict).toMatchObject({ code: 1, out: '' })
  expect(strict.err).toContain(`AccountReactivated ${poison}`)
  const [back, status] = [await run('rollback', 'accounts'), await run('status', 'accounts')]
  expect(back).toMatchObject({ code: 0 })
  expect(back.out).toMatch(/see p_accounts_v\d+ again\.\n1 event in quarantine: see "status accounts"\.\n$/)
  expect(status.out).toMatch(/_3 {2}filling .* left since .*: "rebuild accounts" goes on with them; kept until /)
  expect((await run('rollback', 'accounts')).out).toMatch(/see p_accounts_v\d+_2 again\.\n1 event in quarantine: /)

  // As if a later release could read it.
  const sound = JSON.stringify({ member: cleo, at })
  await pool().query('delete from app.quarantine where name <> $1', ['accounts'])
  await onLog(`update log.event set data = convert_to($1, 'utf8') where id = $2`, [sound, poison])
  const applied = await run('retry', poison)
  expect(applied).toMatchObject({ code: 0, out: `accounts: 1 event of ${cleo} applied.\n` })
  const { rows } = await pool().query('select status from read.account where member = $1', [cleo])
  expect(rows).toEqual([{ status: 'active' }])
})

test('a wrong call ends with 2 before anything starts', async () => {
  const [name, list, nothing, keyless] = await Promise.all([
    run('rebuild', 'nothing'),
    run('list', 'accounts'),
    run('retry'),
    run('explain', 'conversations'),
  ])
  expect([name.code, list.code, nothing.code, keyless.code]).toEqual([2, 2, 2, 2])
  expect(name.err).toContain('There is no read model "nothing". There are: ')
  expect(list.err).toContain('list takes no names')
  expect(nothing.err).toContain('retry wants one event')
  expect(keyless.err).toContain('explain conversations wants a key too: ')
})

test('without a running product the same commands start what they need', async () => {
  await running.stop()
  const rebuilt = await runProgram('npm', ['run', '--silent', 'projections', '--', 'rebuild', 'accounts'], { DATA_DIR })
  expect(rebuilt).toMatchObject({
    code: 0,
    out: expect.stringMatching(/Readers of accounts see p_accounts_v\d+_\d+\.\n$/),
  })
  expect(rebuilt.out).toContain('3 rows, the same')
  const back = await run('rollback', 'accounts')
  expect(back).toMatchObject({ code: 0 })
  expect(back.out).toMatch(/Readers of accounts see p_accounts_v\d+_2 again\.\n$/)
  running = await startProduct()
  expect(await settled()).toBe(true)
})
