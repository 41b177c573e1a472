import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sendDue } from '../../reactors/send-owed.ts'
import { openStorage } from '../../server/storage.ts'
import { createBackup } from '../../server/tools/backup/create.ts'
import { restoreBackup } from '../../server/tools/backup/restore.ts'
import { createExporter } from '../../server/tools/export/exporter.ts'
import { createExportFiles } from '../../services/export/files.ts'
import { createExportWork } from '../../services/export/work.ts'
import { addJob } from '../../services/jobs/add-job.ts'
import { takeUp } from '../../services/jobs/take-up.ts'
import { createLogger } from '../../services/log.ts'
import { eraseAccount } from '../../usecases/identity/erase-account.ts'
import { changeOwing } from '../../usecases/owed.ts'
import { withoutAppends } from '../support/acting/failing-log.ts'
import { makeTempDir } from '../support/temp-folder.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import { emptyTarget, sourceOf } from './backup/rig.ts'
import { dumpOf, findIn } from './erasure/places.ts'

/** Nobody does a job there. */
let world: World
const folder = makeTempDir('letsbuzz-jobs-')
beforeAll(async () => {
  world = await startWorld({ web: false, config: { roles: new Set(['web', 'projector']) } })
})
afterAll(async () => {
  await world.stop()
  await rm(folder, { recursive: true, force: true })
})

type Pool = World['core']['storage']['pool']
/** Without that of the forms which everybody's pictures owe: it has no id of anything. */
const KEYS = `select key from job.jobs where key <> 'derive' order by key`
const keysIn = async (pool: Pool) => (await pool.query<{ key: string }>(KEYS)).rows.map(({ key }) => key)
const jobs = () => keysIn(world.core.storage.pool)
async function oweEverything(who: Person) {
  const { id } = await world.services.exports.ask(who.id)
  await changeOwing(withoutAppends(world.context), who.id, async (_rows, owe) =>
    owe({ type: 'NoteSecondFactor', how: 'turned-on' }),
  )
  const rows = world.core.storage.app.selectFrom('owed_command').select('id').where('member', '=', who.id)
  return { export: id, command: (await rows.executeTakeFirstOrThrow()).id }
}

test('jobs name nobody, and what waits about a member goes with their erasure', async () => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const owed = await oweEverything(ann)
  const others = await oweEverything(bea)
  expect((await jobs()).filter((key) => key.includes(owed.export) || key.includes(owed.command))).toHaveLength(2)
  const dump = new Map([...(await dumpOf(world.stores.database))].filter(([name]) => name.startsWith('job.')))
  expect(dump.size).toBeGreaterThan(3)
  expect(findIn(dump, [ann.id, ann.email, 'Ann'])).toEqual([])
  expect(await eraseAccount({ ...world.context, actor: ann.id }, ann.id)).toMatchObject({ ok: true })
  expect(await jobs()).toEqual([`export:${others.export}`, `send-owed:${others.command}`])
  await world.services.exports.removeAll(bea.id)
  await world.services.owed.settle({ id: others.command })
  expect(await jobs()).toEqual([])
})

test('a job about an erased member that was under way does nothing', async () => {
  const { core, services, publicUrl, context } = world
  const cat = await world.member('Cat')
  const owed = await oweEverything(cat)
  expect(await eraseAccount({ ...context, actor: cat.id }, cat.id)).toMatchObject({ ok: true })
  const { signal } = new AbortController()
  const logger = createLogger({ level: 'silent' })
  const files = createExportFiles(join(world.dataDir, 'exports'))
  const work = createExportWork({ db: core.storage.app, now: context.now, files })
  const exporter = { core, services, work, publicUrl, now: context.now, logger }
  expect(await createExporter(exporter)(owed.export, signal)).toBe(null)
  const before = (await core.log.read(`member-${cat.id}`)).length
  expect(await sendDue({ dispatch: core.dispatch, owed: services.owed, logger }, owed.command, signal)).toBe(null)
  expect((await core.log.read(`member-${cat.id}`)).length).toBe(before)
  expect(await files.olderThan(new Date(Date.now() + 1_000))).toEqual([])
})

test('a restore brings the jobs of its rows, and none of the product that it replaces', async () => {
  const dan = await world.member('Dan')
  const owed = await oweEverything(dan)
  await createBackup(sourceOf(world), join(folder, 'one'))
  const target = await emptyTarget(world)
  onTestFinished(() => target.drop())
  const replaced = await openStorage(target.app)
  await addJob(replaced.app, 'export', { export: 'of-somebody-erased' })
  await replaced.close()
  await restoreBackup({ ...target, force: true }, join(folder, 'one'))
  const restored = await openStorage(target.app)
  expect(await keysIn(restored.pool)).toEqual([])
  await takeUp(restored.pool)
  await takeUp(restored.pool)
  expect(await keysIn(restored.pool)).toEqual([`export:${owed.export}`, `send-owed:${owed.command}`])
  await restored.close()
})

test('a rehearsal restores no job that would mail anybody', async () => {
  const target = await emptyTarget(world)
  onTestFinished(() => target.drop())
  await restoreBackup({ ...target, notify: false }, join(folder, 'one'))
  const restored = await openStorage(target.app)
  await takeUp(restored.pool)
  expect(await keysIn(restored.pool)).toEqual([])
  await restored.close()
})

test('a job that was given up comes again while its row is owed something', async () => {
  const { pool } = world.core.storage
  const eve = await world.member('Eve')
  const { id } = await world.services.exports.ask(eve.id)
  const key = `export:${id}`
  await pool.query('select job.permanently_fail_jobs(array(select id from job.jobs where key = $1))', [key])
  expect(await takeUp(pool)).toBe(1)
  const { rows } = await pool.query('select attempts, last_error from job.jobs where key = $1', [key])
  expect(rows).toEqual([{ attempts: 0, last_error: null }])
  await pool.query(`update job._private_jobs set attempts = 3 where key = $1`, [key])
  expect(await takeUp(pool)).toBe(0)
  expect((await pool.query('select attempts from job.jobs where key = $1', [key])).rows).toEqual([{ attempts: 3 }])
})
