import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { galleryDecider } from '../../../domain/profile/gallery.ts'
import { addMs, hours } from '../../../domain/shared/dates.ts'
import { createBackup } from '../../../server/tools/backup/create.ts'
import { MANIFEST, manifestText } from '../../../server/tools/backup/manifest.ts'
import { restoreBackup } from '../../../server/tools/backup/restore.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { removeUnused } from '../../../usecases/profile/remove-unused.ts'
import { jpeg } from '../../services/support/pictures.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { emptyTarget, sourceOf, startOn } from './rig.ts'

let world: World
const folder = makeTempDir('letsbuzz-lost-media-')
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(async () => {
  await world.stop()
  await rm(folder, { recursive: true, force: true })
})

const namedBy = async ({ core }: Pick<World, 'core'>, { id }: Person) =>
  (await core.loadState(galleryDecider, id)).items.map(({ media }) => media as string)
async function add({ id }: Person): Promise<string> {
  const added = await world.services.media.upload({ owner: { member: id }, purpose: 'photo', file: await jpeg() })
  return added.ok ? added.media.id : ''
}
const removeFile = (id: string) => rm(join(world.dataDir, 'media', id.slice(0, 2), id.slice(2, 4), id))

test('pictures without a file in the backup do not come back, and leave the galleries that name them', async () => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.settled()
  const [kept, lost] = await namedBy(world, ann)
  const [whole, half] = await namedBy(world, bea)
  const blurred = (await world.services.media.find(half!))!.blurredId!
  await removeFile(lost!)
  await removeFile(blurred)
  const { missing } = await createBackup(sourceOf(world), join(folder, 'one'))
  const target = await emptyTarget(world)
  onTestFinished(() => target.drop())
  const { lost: notThere } = await restoreBackup(target, join(folder, 'one'))
  expect([missing, notThere]).toEqual([2, 2])

  const { product, stop } = await startOn(target, world)
  onTestFinished(stop)
  const { media } = product.services
  const found = await Promise.all([kept!, whole!, lost!, half!, blurred].map((id) => media.find(id)))
  expect(found.map((one) => one?.id)).toEqual([kept, whole, undefined, undefined, undefined])
  expect(await Promise.all([lost!, half!, blurred].map((id) => media.ownerOf(id)))).toEqual([ann.id, bea.id, bea.id])
  const later = () => addMs(new Date(), hours(26))
  await removeUnused({ ...erasingOf({ ...product, now: later }, 'system'), now: later })
  expect(await namedBy(product, ann)).not.toContain(lost)
  expect(await namedBy(product, bea)).not.toContain(half)
  expect([await namedBy(product, ann), await namedBy(product, bea)]).toEqual([
    expect.arrayContaining([kept]),
    expect.arrayContaining([whole]),
  ])
})

test('forms come back with their pictures; one without a file is owed again, and no picture is lost by it', async () => {
  const cid = await world.member('Cid')
  await world.settled()
  const [first, second] = [await add(cid), await add(cid)]
  const { app } = world.core.storage
  const forms = await app.selectFrom('media_form').selectAll().where('media', 'in', [first, second]).execute()
  const [kept, lost] = [first, second].map((media) => forms.find((form) => form.media === media)!)
  const made = { forms: 'made', forms_tries: 1 } as const
  await app.updateTable('media').set(made).where('id', 'in', [first, second]).execute()
  await removeFile(lost!.file)
  await createBackup(sourceOf(world), join(folder, 'two'))
  const target = await emptyTarget(world)
  onTestFinished(() => target.drop())
  await restoreBackup(target, join(folder, 'two'))

  const { product, stop } = await startOn(target, world)
  onTestFinished(stop)
  const [there] = await product.services.media.formsOf(first)
  expect(there).toMatchObject({ file: kept!.file })
  const opened = product.services.media.openFile({ ...kept!, file: kept!.file }, null)
  expect((await new Response(opened?.body).arrayBuffer()).byteLength).toBe(kept!.bytes)
  expect(await product.services.media.formsOf(second)).not.toContainEqual(expect.objectContaining({ file: lost!.file }))
  const states = product.core.storage.app.selectFrom('media').select(['id', 'forms', 'forms_tries'])
  expect(await states.where('id', 'in', [first, second]).execute()).toEqual(
    expect.arrayContaining([
      { id: first, ...made },
      { id: second, forms: 'owed', forms_tries: 0 },
    ]),
  )
})

test('a backup that has tables before those they refer to comes back', async () => {
  const dan = await world.member('Dan')
  await world.settled()
  const picture = await add(dan)
  const source = sourceOf(world)
  const { manifest } = await createBackup(source, join(folder, 'three'))
  const reversed = { ...manifest, tables: manifest.tables.toReversed() }
  await writeFile(join(folder, 'three', MANIFEST), manifestText(source.masterKey, reversed))
  const target = await emptyTarget(world)
  onTestFinished(() => target.drop())
  await restoreBackup(target, join(folder, 'three'))
  const { product, stop } = await startOn(target, world)
  onTestFinished(stop)
  const forms = await world.services.media.formsOf(picture)
  expect(forms.length).toBeGreaterThan(0)
  expect(await product.services.media.formsOf(picture)).toEqual(forms)
})
