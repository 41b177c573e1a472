import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import type { MediaPurpose } from '../../../domain/shared/media.ts'
import { type DerivedRound, FORMS_TRIES } from '../../../services/media/derive.ts'
import type { MediaWorkers } from '../../../services/media/workers/workers.ts'
import { randomId } from '../../../services/random-id.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { appDatabase } from '../support/app.ts'
import { makeClip } from '../support/clips.ts'
import { mediaIn, workers } from '../support/media.ts'
import { jpeg } from '../support/pictures.ts'

const app = appDatabase()
const HOUR = 3_600_000
const WEBP = 'image/webp'
const AVIF = 'image/avif'

function start(own: MediaWorkers = workers, folder = tempDir()) {
  const world = mediaIn(folder, app, own)
  const files = () =>
    readdirSync(world.root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
  async function add(purpose: MediaPurpose = 'photo', file?: Buffer, still?: Buffer) {
    const owner = { member: randomId() as MemberId }
    const uploaded = await world.media.upload({ owner, purpose, file: file ?? (await jpeg(400, 500)), still })
    if (!uploaded.ok) throw new Error(uploaded.reason)
    return { ...uploaded.media, blurredId: uploaded.media.blurredId ?? '' }
  }
  /** Until none is owed that is due. */
  async function derive() {
    const rounds: DerivedRound[] = []
    const again = await world.media.deriveForms({ report: (round) => rounds.push(round) })
    return { again, rounds }
  }
  return { ...world, files, add, derive }
}
const formsOf = async (id: string, mime = WEBP) =>
  app.db.selectFrom('media_form').selectAll().where('media', '=', id).where('mime', '=', mime).orderBy('side').execute()
const sidesOf = async (id: string, mime = WEBP) => (await formsOf(id, mime)).map(({ side }) => side)
const stateOf = (id: string) =>
  app.db.selectFrom('media').select(['forms', 'forms_tries']).where('id', '=', id).executeTakeFirstOrThrow()
/** Until the job comes that makes what is owed. */
async function minutesToForms(): Promise<number> {
  const { rows } = await sql<{
    min: number
  }>`select extract(epoch from run_at - now())::float8 / 60 as min from job.jobs where key = 'derive'`.execute(app.db)
  return Math.round(rows[0]?.min ?? 0)
}
/** Others of this database owe nothing: what a test adds is all there is. */
const clear = () => app.db.updateTable('media').set({ forms: 'made' }).execute()

test('a picture has smaller forms by its shorter side, its blurred twin the same, and none is enlarged', async () => {
  const { add, store } = start()
  for (const [width, height, sides] of [
    [1080, 1350, [96, 320, 720]],
    [900, 500, [96, 320]],
    [90, 120, []],
  ] as const) {
    const photo = await add('photo', await jpeg(width, height))
    expect([await sidesOf(photo.id), await sidesOf(photo.blurredId)]).toEqual([sides, sides])
    for (const form of [...(await formsOf(photo.id)), ...(await formsOf(photo.blurredId))]) {
      const bytes = await store.read(form.file)
      const size = await sharp(bytes).metadata()
      expect([Math.min(size.width, size.height), bytes.length]).toEqual([form.side, form.bytes])
      expect(size.width / size.height).toBeCloseTo(width / height, 1)
    }
    const blurred = await sharp(await store.read(photo.blurredId)).metadata()
    expect(blurred).toMatchObject({ width: photo.width, height: photo.height })
  }
})

test('an upload that needs what is small first has it at once, and is owed the rest', async () => {
  await clear()
  const { media, store, add, derive } = start()
  const owner = { member: randomId() as MemberId }
  await sql`delete from job._private_jobs`.execute(app.db)
  const uploaded = await media.upload({ owner, purpose: 'photo', file: await jpeg(640, 800), small: true })
  expect(await minutesToForms()).toBe(5)
  if (!uploaded.ok) throw new Error(uploaded.reason)
  const { id, width, height, blurredId } = uploaded.media
  const sizeOf = async (file: string) => sharp(await store.read(file)).metadata()
  expect([width, height, await sidesOf(id), await sidesOf(blurredId!)]).toEqual([640, 800, [320], []])
  expect([await sizeOf(id), await sizeOf(blurredId!)]).toMatchObject([{ width: 640 }, { width: 320, height: 400 }])
  await derive()
  expect([await sidesOf(id), await sidesOf(blurredId!)]).toEqual([
    [96, 320],
    [96, 640],
  ])
  await add('photo')
  expect(await minutesToForms()).toBe(1)
})

test('a drawing of the product becomes a picture, and the same file that is sent is refused', async () => {
  const { media, store } = start()
  const owner = { member: randomId() as MemberId }
  const file = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="500"><circle r="9"/></svg>')
  expect(await media.upload({ owner, purpose: 'photo', file })).toEqual({ ok: false, reason: 'unsupported' })
  const uploaded = await media.upload({ owner, purpose: 'photo', file, drawn: true })
  if (!uploaded.ok) throw new Error(uploaded.reason)
  const { id, mime } = uploaded.media
  const { format, width, height } = await sharp(await store.read(id)).metadata()
  expect([mime, format, width, height]).toEqual(['image/webp', 'webp', 400, 500])
})

test('papers have no forms, and a video has those of its still', async () => {
  const { add } = start()
  const paper = await add('kyc-id')
  expect(await sidesOf(paper.id)).toEqual([])
  const video = await add('post', await makeClip({ format: 'mp4', seconds: 1 }), await jpeg(640, 480))
  expect(await sidesOf(video.id)).toEqual([])
  expect([await sidesOf(video.posterId ?? ''), await sidesOf(video.blurredId)]).toEqual([
    [96, 320],
    [96, 320],
  ])
})

test('a blurred picture has no edges for the eye to find', async () => {
  const { add, store } = start()
  const stripes = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="1080" height="1350"><rect width="1080" height="1350" fill="#fff"/>
      <path d="M0 0H540V675H0zM540 675H1080V1350H540z"/></svg>`,
  )
  const photo = await add('photo', await sharp(stripes).jpeg().toBuffer())
  const { data, info } = await sharp(await store.read(photo.blurredId))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const row = data.subarray(300 * info.width, 301 * info.width)
  const steps = [...row.subarray(1)].map((value, at) => Math.abs(value - row[at]!))
  expect([info.width, Math.max(...steps)]).toEqual([1080, expect.toSatisfy((most: number) => most < 16)])
})

test('AVIF comes later, where it has fewer bytes, and no picture waits for it', async () => {
  await clear()
  const { add, derive, store } = start()
  const photo = await add('photo', await jpeg(400, 500))
  expect(await sidesOf(photo.id, AVIF)).toEqual([])
  expect(await derive()).toEqual({ again: null, rounds: [{ made: 1, failed: 0, givenUp: 0, postponed: 0, left: 0 }] })
  const sizes = new Map([
    ...(await formsOf(photo.id)).map(({ side, bytes }) => [side, bytes] as const),
    [400, photo.bytes],
  ])
  const made = await formsOf(photo.id, AVIF)
  expect(made.length).toBeGreaterThan(0)
  for (const { side, bytes, file } of made) {
    expect(bytes).toBeLessThan(sizes.get(side) ?? 0)
    expect(await sharp(await store.read(file)).metadata()).toMatchObject({ format: 'heif', width: side })
  }
  expect(await sidesOf(photo.blurredId, AVIF)).toEqual([])
  expect(await stateOf(photo.id)).toEqual({ forms: 'made', forms_tries: 0 })
  expect(await derive()).toEqual({ again: null, rounds: [] })
})

test('a picture of the release before gets its forms, and a blurred twin as large as itself', async () => {
  await clear()
  const { add, derive, store } = start()
  const photo = await add('photo', await jpeg(640, 800))
  await app.db.deleteFrom('media_form').where('media', 'in', [photo.id, photo.blurredId]).execute()
  const small = await sharp(await store.read(photo.blurredId))
    .resize(192)
    .webp()
    .toBuffer()
  await store.write(photo.blurredId, small)
  await app.db.updateTable('media').set({ width: 192, height: 240 }).where('id', '=', photo.blurredId).execute()
  await derive()
  expect([await sidesOf(photo.id), await sidesOf(photo.blurredId)]).toEqual([
    [96, 320],
    [96, 320, 640],
  ])
})

test('a picture whose forms fail is tried five times, each time later, and stays as it is', async () => {
  await clear()
  const { add, derive, store, root, now } = start()
  const photo = await add()
  const kept = await store.read(photo.id)
  writeFileSync(join(root, photo.id.slice(0, 2), photo.id.slice(2, 4), photo.id), 'no picture')
  let waited = 0
  for (let tries = 1; tries < FORMS_TRIES; tries++) {
    const { again, rounds } = await derive()
    expect(rounds).toEqual([{ made: 0, failed: 1, givenUp: 0, postponed: 0, left: 1 }])
    expect(again).toBeGreaterThan(waited)
    expect(await derive()).toMatchObject({ rounds: [] })
    waited = again ?? 0
    now.pass(waited)
  }
  expect(await derive()).toEqual({ again: null, rounds: [{ made: 0, failed: 1, givenUp: 1, postponed: 0, left: 0 }] })
  expect(await stateOf(photo.id)).toEqual({ forms: 'given-up', forms_tries: FORMS_TRIES })
  await store.write(photo.id, kept)
  expect(await sidesOf(photo.id)).toEqual([96, 320])
})

test('what a stop or full workers keep from being made is owed still, and is no failure', async () => {
  await clear()
  const stop = new AbortController()
  const full: MediaWorkers = { ...workers, derive: async () => ({ ok: false, reason: 'busy' }) }
  const dying: MediaWorkers = {
    ...workers,
    async derive() {
      stop.abort()
      return { ok: false, reason: 'upload-failed' }
    },
  }
  const folder = tempDir()
  const photo = await start(workers, folder).add()
  expect(await start(full, folder).media.deriveForms()).toBeGreaterThan(5_000)
  await start(dying, folder).media.deriveForms({ signal: stop.signal })
  expect(await stateOf(photo.id)).toEqual({ forms: 'owed', forms_tries: 0 })
})

test('what is made before the workers are full is kept, and not made again', async () => {
  await clear()
  const asked: number[] = []
  const fullAfter = (most: number): MediaWorkers => ({
    ...workers,
    async derive(deriving) {
      asked.push(...deriving.avif)
      return asked.length > most ? { ok: false, reason: 'busy' } : workers.derive(deriving)
    },
  })
  const folder = tempDir()
  const photo = await start(workers, folder).add()
  await start(fullAfter(2), folder).media.deriveForms()
  const kept = await sidesOf(photo.id, AVIF)
  expect([asked, kept.length > 0, await stateOf(photo.id)]).toEqual([
    [96, 320, 400],
    true,
    { forms: 'owed', forms_tries: 0 },
  ])
  asked.length = 0
  await start(fullAfter(3), folder).media.deriveForms()
  expect(asked).toEqual([96, 320, 400].filter((side) => !kept.includes(side)))
  expect(await stateOf(photo.id)).toEqual({ forms: 'made', forms_tries: 0 })
})

test('a removed picture leaves no form, nor does one that is removed while its forms are made', async () => {
  await clear()
  const { add, media, derive, files } = start()
  const photo = await add()
  await derive()
  expect(files()).toBeGreaterThan(6)
  await media.remove(photo.id, photo.owner)
  expect(files()).toBe(0)
  const world = start({
    ...workers,
    async derive(asked) {
      const derived = await workers.derive(asked)
      const [row] = await world.media.list(late.owner)
      await world.media.remove(row?.id ?? '', late.owner)
      return derived
    },
  })
  const late = await world.add()
  await world.derive()
  expect(world.files()).toBe(0)
  expect(await sidesOf(late.id, AVIF)).toEqual([])
})

test('the sweep keeps the files of forms, and removes one that no row knows', async () => {
  const { add, media, store, files, now } = start()
  const photo = await add()
  await media.attach(photo.owner, [{ id: photo.id, purposes: ['photo'] }])
  await store.write(randomId(), Buffer.from('stray'))
  const all = files()
  now.pass(Date.now() - now().getTime() + 25 * HOUR)
  await media.sweep()
  expect(files()).toBe(all - 1)
})
