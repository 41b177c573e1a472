import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createBackup } from '../../../server/tools/backup/create.ts'
import { restoreBackup } from '../../../server/tools/backup/restore.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import { emptyTarget, sourceOf, startOn } from './rig.ts'

let world: World
const folder = makeTempDir('letsbuzz-restored-exports-')
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(async () => {
  await world.stop()
  await rm(folder, { recursive: true, force: true })
})

test('a copy that was ready is made anew after a restore, which has none of its bytes; one that is over is not', async () => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const { exports } = world.services
  const older = await exports.ask(bea.id)
  await until('the older copy is ready', async () => (await exports.find(bea.id, older.id))?.state === 'ready')
  const newer = await exports.ask(ann.id)
  await until('the newer copy is ready', async () => (await exports.find(ann.id, newer.id))?.state === 'ready')
  const { app } = world.core.storage
  const past = new Date(Date.now() - 1_000)
  await app.updateTable('data_export').set({ expires_at: past }).where('id', '=', older.id).execute()
  await until('its mail is sent', async () => {
    const owed = await app.selectFrom('data_export').select('id').where('mail_owed', '=', true).execute()
    return owed.length === 0
  })
  await createBackup(sourceOf(world), join(folder, 'one'))

  const target = await emptyTarget(world)
  onTestFinished(() => target.drop())
  await restoreBackup(target, join(folder, 'one'))
  const restored = await startOn(target, world)
  onTestFinished(restored.stop)
  const { services, core } = restored.product
  await until('the copy is ready again', async () => (await services.exports.find(ann.id, newer.id))?.state === 'ready')
  const opened = await services.exports.open(ann.id, newer.id)
  const bytes = await new Response(opened?.body).bytes()
  expect([bytes.length, opened?.bytes, String.fromCharCode(...bytes.subarray(0, 2))]).toEqual([
    opened?.bytes,
    bytes.length,
    'PK',
  ])
  expect(await core.storage.app.selectFrom('data_export').select('id').execute()).toEqual([{ id: newer.id }])
})
