import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { valueOr } from '../../../domain/shared/personal.ts'
import { allProjections } from '../../../projections/all-projections.ts'
import { pauseProjection, resumeProjection } from '../../../projections/engine/care/pause.ts'
import { withRebuildLock } from '../../../projections/engine/care/rebuild-lock.ts'
import { dropUnknown } from '../../../projections/engine/care/unknown-tables.ts'
import { createProjector, type Projector } from '../../../projections/engine/engine.ts'
import { type Projection, put, remove, type Table } from '../../../projections/projection.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { listAll, retry, statusOf } from '../../../server/tools/projections/caring.ts'
import { dropTables } from '../../../server/tools/projections/rebuilding.ts'
import type { Tools } from '../../../server/tools/projections/tools.ts'
import { caughtUpBy } from '../../../server/waiting/caught-up.ts'
import { addJob } from '../../../services/jobs/add-job.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { ErasureIncomplete } from '../../../usecases/identity/finish-erasure.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

const word: Table<{ member: string; first_name: string }> = {
  name: 'word',
  columns: { member: 'text collate "C" not null', first_name: 'text not null' },
  key: ['member'],
}
let isBroken = false
/** A read model of a release that was rolled back, which the product's own code does not know. */
const words: Projection = {
  name: 'words',
  version: 1,
  tables: [word],
  when: {
    ProfileStarted: ({ member, firstName }) => [put(word, { member, first_name: valueOr(firstName, '') })],
    AccountErased: ({ member }) => {
      if (isBroken) throw new Error('a fault of the other release')
      return [remove(word, { member })]
    },
  },
}

let world: World
let other: Projector
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(() => world.stop())

const query = async (text: string) => (await world.core.storage.pool.query(text)).rows
const shown = async () => expect(await other.waitFor(await world.core.log.head(), undefined, 20_000)).toBe(true)

/** The other release runs beside the product, until the test ends at the latest. */
async function startOther(): Promise<void> {
  isBroken = false
  const { log, codec, keys, storage } = world.core
  const deps = { log, codec, keys, pool: storage.pool, now: () => new Date(), report: () => undefined }
  other = createProjector({ ...deps, projections: [words] })
  await other.start()
  await shown()
}
afterEach(async () => {
  await other.stop()
  await resumeProjection(world.core.storage.pool, 'words')
  await query('drop schema if exists p_words_v1 cascade')
  await query(`delete from app.projection_target where name = 'words'`)
})

/** Nothing of it has moved for more than an hour, and no process was there that has it. */
async function later(by = '61 minutes'): Promise<void> {
  await query(`update app.projection_checkpoint set updated_at = now() - interval '${by}' where name = 'words'`)
  await query(`update app.projection_seen set seen_at = now() - interval '${by}' where name = 'words'`)
}
const erase = ({ id }: Person) => eraseAccount(erasingOf({ ...world.product, now: () => new Date() }, 'admin:test'), id)
/** As its reactor does, which may be at it at the same time, and comes again. */
const erased = (person: Person) =>
  until('they are erased', () =>
    erase(person).then(
      ({ ok }) => ok,
      (error: unknown) => {
        if (error instanceof ErasureIncomplete) return false
        throw error
      },
    ),
  )
const certificates = async ({ id }: Person) =>
  (await world.core.log.read(`member-${id}`)).filter(({ type }) => type === 'ErasureCertified').length
const schemas = () => query(`select nspname from pg_namespace where nspname = 'p_words_v1'`)
const rowsOf = ({ id }: Person) => query(`select first_name from p_words_v1.word where member = '${id}'`)
async function printed(work: (tools: Tools, print: (line: string) => void) => Promise<number>) {
  const lines: string[] = []
  const code = await work({ core: world.core } as Tools, (line) => lines.push(line))
  return { code, text: lines.join('\n') }
}

test('nobody is certified while a read model that nobody feeds has their words, and after an hour it goes', async () => {
  const eve = await world.member('Eve')
  await startOther()
  await other.stop()
  expect(await rowsOf(eve)).toHaveLength(1)
  await expect(erase(eve)).rejects.toThrow(
    new ErasureIncomplete('Tables of words are behind, being filled, or not empty yet.'),
  )
  expect([await certificates(eve), await schemas()]).toEqual([0, [{ nspname: 'p_words_v1' }]])
  await later()
  const erasing = withRebuildLock(world.core.storage.pool, 'words', () => erase(eve))
  await expect(erasing).rejects.toThrow('Tables of words are')
  await erased(eve)
  expect([await certificates(eve), await schemas()]).toEqual([1, []])
  expect(await query(`select from app.projection where name = 'words'`)).toEqual([])
})

test('without an erasure it is kept for a week', async () => {
  await startOther()
  await other.stop()
  const { pool } = world.core.storage
  await later('167 hours')
  expect(await dropUnknown(pool, allProjections, 'old')).toEqual([])
  await later('169 hours')
  await addJob(world.core.storage.app, 'sweep', {})
  await until('it is swept', async () => (await schemas()).length === 0)
})

test('while somebody reads its tables they stay', async () => {
  await startOther()
  await other.stop()
  await later()
  const { pool } = world.core.storage
  const reader = await pool.connect()
  try {
    await reader.query('begin')
    await reader.query('select from p_words_v1.word')
    expect(await dropUnknown(pool, allProjections, 'all')).toEqual([])
  } finally {
    await reader.query('rollback')
    reader.release()
  }
  expect(await dropUnknown(pool, allProjections, 'all')).toEqual(['p_words_v1'])
})

test('tables of which the first filling was left keep nobody back for longer than an hour', async () => {
  const eve = await world.member('Eve')
  await startOther()
  await other.stop()
  await query(`update app.projection_target set state = 'filling' where name = 'words'`)
  await expect(erase(eve)).rejects.toThrow('Tables of words are')
  await later()
  await erased(eve)
  expect(await schemas()).toEqual([])
})

test('a read model that another release feeds stays, and nobody is certified before it shows the end', async () => {
  const [eve, fay] = [await world.member('Eve'), await world.member('Fay')]
  await startOther()
  await later()
  await erased(eve)
  expect(await rowsOf(eve)).toEqual([])
  await pauseProjection(world.core.storage.pool, 'words')
  await later()
  await expect(erase(fay)).rejects.toThrow('Tables of words are')
  expect(await rowsOf(fay)).toHaveLength(1)
  await resumeProjection(world.core.storage.pool, 'words')
  await shown()
  await erased(fay)
  expect(await rowsOf(fay)).toEqual([])
  expect(await schemas()).toHaveLength(1)
})

test('a read model that was filled from another log is not taken for one that shows the end', async () => {
  const eve = await world.member('Eve')
  await startOther()
  await other.stop()
  await query(`update app.projection_checkpoint set position = 'z', epoch = 'another log' where name = 'words'`)
  await expect(erase(eve)).rejects.toThrow('Tables of words are')
  expect(await certificates(eve)).toBe(0)
})

test('the end of an account in its quarantine is explained to who retries it, and keeps nobody back for longer', async () => {
  const eve = await world.member('Eve')
  await startOther()
  isBroken = true
  await expect(erase(eve)).rejects.toThrow(new ErasureIncomplete('The end of the account is in quarantine of words.'))
  await other.stop()
  await expect(erase(eve)).rejects.toThrow('The end of the account is in quarantine of words.')
  const retried = await printed((tools, print) => retry(tools, eve.id, print))
  expect(retried.code).toBe(1)
  expect(retried.text).toContain('this release has no read model "words"')
  expect(retried.text).toContain('"drop words"')
  await later()
  await erased(eve)
  expect(await schemas()).toEqual([])
})

test('status and list name it, and drop removes it once nobody feeds it', async () => {
  await startOther()
  const status = () => printed((tools, print) => statusOf(tools, ['words'], print))
  const drop = () => printed((tools, print) => dropTables(tools, ['words'], print))
  expect((await status()).text).toContain('of another release, a process of which runs')
  await expect(drop()).rejects.toThrow('A process of another release has words')
  expect(await schemas()).toHaveLength(1)
  await other.stop()
  const left = await status()
  expect(left).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^words {2}p_words_v1 {2}live {2}at .* {2}kept until /),
  })
  expect(left.text).toContain('of another release, of which no process runs: ')
  expect((await printed((tools, print) => statusOf(tools, [], print))).text).toContain('p_words_v1')
  expect((await printed(listAll)).text).toMatch(/^words .*\n {2}p_words_v1 {2}live$/m)
  expect(await drop()).toEqual({ code: 0, text: 'Removed p_words_v1.' })
  expect(await schemas()).toEqual([])
  await expect(drop()).rejects.toThrow('There is no read model "words"')
})

test('pages wait for no read model that the release does not have', async () => {
  await startOther()
  await other.stop()
  await world.member('Eve')
  await world.settled()
  expect(
    await caughtUpBy(null, world.core.storage.pool, world.core.log)(await world.core.log.head(), undefined, 200),
  ).toBe(true)
})
