import { join } from 'node:path'
import type { MediaFormRow, MediaRow } from '../../../services/app-schema.ts'
import { createFileStore } from '../../../services/media/store.ts'
import { randomId } from '../../../services/random-id.ts'
import { memberOfProof } from '../../../usecases/register/proof.ts'
import type { World } from '../world.ts'

/** All that uploading made of a visitor's photos: others are made like them, and no process parses a file again. */
export type PhotosTemplate = readonly {
  readonly row: MediaRow
  readonly bytes: Buffer
  readonly forms: readonly Form[]
}[]
type Form = { readonly row: MediaFormRow; readonly bytes: Buffer }

const SECOND = 1_000

const storeOf = ({ dataDir }: World) => createFileStore(join(dataDir, 'media'), { own: 'test', isLeft: () => false })

/** Of a visitor who has uploaded photos, and nothing else. */
export async function photosOf(world: World, proof: string): Promise<PhotosTemplate> {
  const media = world.core.storage.app.selectFrom('media').selectAll().where('proof', '=', proof)
  const rows = await media.orderBy('created_at').execute()
  const { read } = storeOf(world)
  return Promise.all(rows.map(async (row) => ({ row, bytes: await read(row.id), forms: await formsOf(world, row.id) })))
}

async function formsOf(world: World, media: string): Promise<Form[]> {
  const rows = await world.core.storage.app.selectFrom('media_form').selectAll().where('media', '=', media).execute()
  return Promise.all(rows.map(async (row) => ({ row, bytes: await storeOf(world).read(row.file) })))
}

/**
 * As if the visitor of this proof had uploaded the last of them at this moment, a second apart and after all those that are
 * there, whatever clock the template's world had; answers the ids, in the order of the template.
 */
export async function addPhotos(world: World, photos: PhotosTemplate, proof: string): Promise<string[]> {
  const ids = new Map(photos.map(({ row }) => [row.id, randomId()]))
  const own = (id: string | null) => (id === null ? null : (ids.get(id) ?? null))
  const originals = photos.filter(({ row }) => row.original_id === null).map(({ row }) => row.id)
  const begun = world.context.now().getTime() - (originals.length - 1) * SECOND
  const first = Math.max(begun, (await lastOf(world, proof)) + SECOND)
  const made = photos.map(({ row, bytes, forms }) => ({
    bytes,
    forms: forms.map((form) => ({
      ...form,
      row: { ...form.row, file: randomId(), media: ids.get(row.id) as string },
    })),
    row: {
      ...row,
      id: ids.get(row.id) as string,
      proof,
      blurred_id: own(row.blurred_id),
      original_id: own(row.original_id),
      created_at: new Date(first + originals.indexOf(row.original_id ?? row.id) * SECOND),
    },
  }))
  const store = storeOf(world)
  const forms = made.flatMap((photo) => photo.forms)
  await Promise.all([
    ...made.map(({ row, bytes }) => store.write(row.id, bytes)),
    ...forms.map(({ row, bytes }) => store.write(row.file, bytes)),
  ])
  const { app } = world.core.storage
  await app
    .insertInto('media')
    .values(made.map(({ row }) => row))
    .execute()
  if (forms.length > 0)
    await app
      .insertInto('media_form')
      .values(forms.map(({ row }) => row))
      .execute()
  return originals.map((id) => ids.get(id) as string)
}

/** When the visitor's newest upload came, in ms since 1970, or 0: those that were handed over count too. */
async function lastOf({ core }: World, proof: string): Promise<number> {
  const { last } = await core.storage.app
    .selectFrom('media')
    .select(({ fn }) => fn.max('created_at').as('last'))
    .where((eb) => eb.or([eb('proof', '=', proof), eb('owner', '=', memberOfProof({ id: proof }))]))
    .executeTakeFirstOrThrow()
  return last?.getTime() ?? 0
}
