import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { type Postgres, startPostgres } from '../../server/embedded/postgres/launcher.ts'
import { layCluster } from '../support/cluster.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

async function start(dataDir: string): Promise<Postgres> {
  const postgres = await startPostgres({ dataDir, fast: true })
  onTestFinished(() => postgres.stop())
  return postgres
}

async function ask(config: pg.ClientConfig, text: string): Promise<unknown[]> {
  const client = new pg.Client(config)
  await client.connect()
  return client
    .query(text)
    .then(({ rows }) => rows as unknown[])
    .finally(() => client.end())
}

const rulesOf = (dataDir: string) => join(dataDir, 'pg_hba.conf')
const secretOf = (dataDir: string) => `${dataDir}-secret`

/** What a connection comes to with each kind of password; `in` for one that is let in. */
async function letsIn(postgres: Postgres): Promise<Record<'own' | 'none' | 'guess', string>> {
  const { password, ...open } = postgres.clientConfig('postgres')
  const tried = (config: pg.ClientConfig) =>
    ask(config, 'select 1').then(
      () => 'in',
      (error: Error) => error.message,
    )
  return {
    own: await tried({ ...open, password }),
    none: await tried(open),
    guess: await tried({ ...open, password: 'letsbuzz' }),
  }
}

const SHUT = {
  own: 'in',
  none: expect.stringContaining('client password must be a string'),
  guess: expect.stringContaining('password authentication failed'),
}

/** A cluster as it was made when its socket's folder alone decided who comes in, with a row in it. */
async function openCluster(): Promise<string> {
  const dataDir = join(tempDir(), 'postgres')
  await layCluster(dataDir)
  const postgres = await startPostgres({ dataDir, fast: true })
  const config = postgres.clientConfig('postgres')
  await ask(config, 'create table note as select 7 as id')
  await ask(config, 'alter role letsbuzz password null')
  await postgres.stop()
  writeFileSync(rulesOf(dataDir), 'local   all             all                                     trust\n')
  rmSync(secretOf(dataDir), { force: true })
  return dataDir
}

test('a cluster wants its password on the socket, which its owner alone can read', async () => {
  const dataDir = join(tempDir(), 'postgres')
  const postgres = await start(dataDir)
  expect(await letsIn(postgres)).toEqual(SHUT)
  expect(existsSync(secretOf(dataDir)) && statSync(secretOf(dataDir)).mode & 0o777).toBe(0o600)
  expect(readFileSync(secretOf(dataDir), 'utf8').trim()).toBe(postgres.clientConfig('postgres').password)
  expect(readFileSync(rulesOf(dataDir), 'utf8')).not.toMatch(/^\s*(local|host).*trust/m)
  await postgres.stop()
  expect(await letsIn(await start(dataDir))).toEqual(SHUT)
})

test.each([
  ['that wants none', () => undefined],
  [
    'whose start was killed once it had drawn one',
    (dataDir: string) => writeFileSync(secretOf(dataDir), `${'x'.repeat(43)}\n`, { mode: 0o600 }),
  ],
])('a cluster %s wants a password from its next start on, with all rows', async (_what, before) => {
  const dataDir = await openCluster()
  before(dataDir)
  const postgres = await start(dataDir)
  // The server reads its rules anew a moment after it was asked to.
  await until('it is shut', async () => (await letsIn(postgres)).none !== 'in')
  expect(await letsIn(postgres)).toEqual(SHUT)
  expect(await ask(postgres.clientConfig('postgres'), 'select id from note')).toEqual([{ id: 7 }])
  await postgres.stop()
  expect(await letsIn(await start(dataDir))).toEqual(SHUT)
})

test('a cluster whose password is lost takes another at its next start', async () => {
  const dataDir = join(tempDir(), 'postgres')
  await layCluster(dataDir)
  const first = await start(dataDir)
  await first.stop()
  rmSync(secretOf(dataDir))
  const second = await start(dataDir)
  await until('it is shut', async () => (await letsIn(second)).none !== 'in')
  expect(await letsIn(second)).toEqual(SHUT)
  expect(second.clientConfig('postgres').password).not.toBe(first.clientConfig('postgres').password)
})

test('a start on a damaged password names its file, and what to do', async () => {
  const dataDir = join(tempDir(), 'postgres')
  await layCluster(dataDir)
  writeFileSync(secretOf(dataDir), 'short\n')
  await expect(startPostgres({ dataDir, fast: true })).rejects.toThrow(`${dataDir}-secret is damaged. Delete it`)
})
