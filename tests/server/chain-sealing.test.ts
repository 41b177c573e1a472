import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDays, readTip } from '../../eventstore/chain/heads.ts'
import { tableSource } from '../../eventstore/chain/table-source.ts'
import type { HeardConfig } from '../../eventstore/postgres/heard-client.ts'
import { chainOf } from '../../server/tools/history/chain/chain-of.ts'
import { startSealing } from '../../server/tools/history/chain/sealing.ts'
import { createLogger } from '../../services/log.ts'
import { type ChainRig, startChainRig } from '../eventstore/chain-rig.ts'
import { wayTo } from '../support/servers/way-to.ts'
import { tempDir } from '../support/temp-dir.ts'
import { runTool, runToolHere } from '../support/tool.ts'
import { until } from '../support/until.ts'
import { wrong } from '../support/wrong.ts'

let rig: ChainRig
beforeAll(async () => {
  rig = await startChainRig()
})
afterAll(() => rig.stop())

const DAY_MS = 86_400_000

test('a running product seals what is written, signs the day that is over and says so in its log', async () => {
  const lines: Record<string, unknown>[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }
  const logger = createLogger({ destination })
  let now = new Date()
  const deps = { ...rig.deps, source: rig.byClient, now: () => now, logger, everyMs: 20 }
  const [first, second] = [startSealing(deps), startSealing(deps)]
  await rig.write('member-ann', 3)
  await until('the events are sealed', async () => (await readTip(rig.pool))?.last === 3)
  now = new Date(Date.now() + DAY_MS)
  await until('the day is signed', async () => (await readDays(rig.pool)).length === 1)
  await Promise.all([first.stop(), second.stop()])
  const [day] = await readDays(rig.pool)
  const sealed = lines.filter(({ kind }) => kind === 'chain')
  expect(sealed).toMatchObject([{ name: `${day?.day} ${day?.head.toString('hex')}`, position: '3', count: 3 }])
  expect(await rig.verify()).toMatchObject({ ok: true, events: 3, sealed: 0 })
})

test('a chain that was altered is complained of once, and nothing is sealed on it', async () => {
  const lines: string[] = []
  const logger = createLogger({ destination: { write: (line: string) => void lines.push(line) } })
  await rig.forge('update app.chain_segment set events = events + 1')
  await rig.write('member-ann', 1)
  const sealing = startSealing({ ...rig.deps, logger, everyMs: 5 })
  await until('it is logged', () => lines.length > 0)
  await sealing.stop()
  expect(lines.join('')).toMatch(/last head of the chain was altered/)
  expect((await readTip(rig.pool))?.last).toBe(3)
  await rig.forge('update app.chain_segment set events = events - 1')
})

test.each(['select max(position)', 'copy ('])(
  'sealing whose %s has no answer goes on over another connection',
  async (question) => {
    const { swallow, hasSwallowed, ...address } = await wayTo(rig.logDatabase.config)
    const table: HeardConfig = { ...rig.logDatabase.config, ...address, silentMs: 300 }
    const logger = createLogger({ destination: { write: () => undefined } })
    const sealing = startSealing({ ...rig.deps, source: tableSource(table), logger, everyMs: 20 })
    swallow(question)
    await rig.write('member-ann', 1)
    await until('it is asked', hasSwallowed)
    const head = await rig.source.head()
    await until('the event is sealed', async () => (await readTip(rig.pool))?.last === head)
    await sealing.stop()
  },
)

test('the table is read where it is the log that the client reads, and the client otherwise', async () => {
  const core = wrong<Parameters<typeof chainOf>[0]>({ log: rig.log, storage: { pool: rig.pool } })
  const secrets = { masterKey: Buffer.alloc(32) }
  const now = () => new Date()
  const own = await chainOf(core, secrets, { now, table: rig.logDatabase.config })
  expect(own.source.database).toBe(rig.logDatabase.config)
  const elsewhere = await chainOf(core, secrets, { now, table: rig.appDatabase.config })
  expect(elsewhere.source.database).toBeUndefined()
  const other = await startChainRig()
  await other.write('member-ann', 4)
  const mistaken = await chainOf(core, secrets, { now, table: other.logDatabase.config })
  expect(mistaken.source.database).toBeUndefined()
  expect(await tableSource(other.logDatabase.config).head()).toBe(4)
  await other.stop()
})

test('the tool verifies a log, and ends with 1 when it is not what was sealed', async () => {
  const DATA_DIR = join(tempDir(), 'data')
  const run = (...args: string[]) => runToolHere('history', args, { DATA_DIR })
  const [help, bogus] = await Promise.all([run('--help'), run('verify', '--expect', 'x')])
  expect([help.code, bogus.code]).toEqual([0, 2])
  // As an interrupted first start leaves it.
  mkdirSync(join(DATA_DIR, 'postgres'), { recursive: true })
  const fresh = await run('verify')
  expect(fresh).toMatchObject({ code: 0 })
  expect(fresh.out).toContain('The log is what was sealed: 0 events checked')
  const elsewhere = await runTool('history', ['verify', '--expect', 'ab'.repeat(32)], { DATA_DIR })
  expect(elsewhere).toMatchObject({ code: 1 })
  expect(elsewhere.out).toContain('Unknown: the chain does not go through the head abab')
}, 120_000)
