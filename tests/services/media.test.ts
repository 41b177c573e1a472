import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { MediaPurpose } from '../../domain/shared/media.ts'
import { createMediaLinks } from '../../services/media/links.ts'
import { createMediaFiles } from '../../services/media/media.ts'
import { rangeOf } from '../../services/media/range.ts'
import type { Uploader } from '../../services/media/records.ts'
import { randomId } from '../../services/random-id.ts'
import { createSignupProofs } from '../../services/signup-proofs.ts'
import { tempDir } from '../support/temp-dir.ts'
import { appDatabase, MASTER_KEY, testClock } from './support/app.ts'
import { makeClip } from './support/clips.ts'
import { mediaIn, visitorIn, workers } from './support/media.ts'
import { jpeg, picture } from './support/pictures.ts'

const app = appDatabase()
const ann = () => ({ member: randomId() as MemberId })
const HOUR = 3_600_000

function start() {
  const world = mediaIn(tempDir(), app)
  const files = () =>
    readdirSync(world.root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
  async function add(owner: Uploader, purpose: MediaPurpose, file?: Buffer) {
    const uploaded = await world.media.upload({ owner, purpose, file: file ?? (await jpeg()) })
    if (!uploaded.ok) throw new Error(uploaded.reason)
    return uploaded.media
  }
  return { ...world, files, add }
}
const read = async (body: ReadableStream<Uint8Array>) => Buffer.from(await new Response(body).arrayBuffer())

test('a picture becomes a small WebP with a placeholder and a blurred file of an unrelated id', async () => {
  const { media, add } = start()
  const owner = ann()
  const photo = await add(owner, 'photo', await jpeg(1440, 960))
  expect(photo).toMatchObject({ owner, kind: 'image', mime: 'image/webp', width: 1080, height: 720 })
  expect(photo.placeholder?.length).toBeLessThan(400)
  const opened = await media.open(photo.id)
  if (!opened.ok) throw new Error('The photo is gone.')
  expect(await sharp(await read(opened.body)).metadata()).toMatchObject({ format: 'webp', width: 1080 })
  const blurred = await media.find(photo.blurredId ?? '')
  expect(blurred).toMatchObject({ originalId: photo.id, mime: 'image/webp' })
  expect(blurred?.id).not.toContain(photo.id.slice(0, 8))
})

test('a blurred picture holds no more than a thumbnail does', async () => {
  const { media, store, add } = start()
  const photo = await add(ann(), 'photo', await picture(1000, 1000).jpeg().toBuffer())
  const bytes = await store.read((await media.find(photo.blurredId ?? ''))?.id ?? '')
  const grey = sharp(bytes).greyscale()
  const { data: shown, info } = await grey.clone().raw().toBuffer({ resolveWithObject: true })
  const small = await grey.clone().resize(32, 32).toBuffer()
  const again = await sharp(small).resize(info.width, info.height, { kernel: 'cubic' }).greyscale().raw().toBuffer()
  const difference = shown.reduce((sum, value, at) => sum + Math.abs(value - (again[at] ?? 0)), 0) / shown.length
  expect(difference).toBeLessThan(3)
})

test('a video brings a still, and strangers get that still blurred', async () => {
  const { media, add } = start()
  const owner = ann()
  const file = await makeClip({ format: 'mp4', seconds: 2 })
  const uploaded = await media.upload({ owner, purpose: 'post', file, still: await jpeg(640, 480) })
  if (!uploaded.ok) throw new Error(uploaded.reason)
  const video = uploaded.media
  expect(video).toMatchObject({ kind: 'video', mime: 'video/mp4', width: 64, height: 48, seconds: 2 })
  expect(await media.find(video.posterId ?? '')).toMatchObject({ kind: 'image', width: 640, originalId: video.id })
  expect(await media.find(video.blurredId ?? '')).toMatchObject({ kind: 'image', originalId: video.id })
  const plain = await add(owner, 'post', file)
  expect(await media.find(plain.posterId ?? '')).toMatchObject({ kind: 'image' })
})

test('parts of a file can be asked for, and parts beyond it cannot', async () => {
  const { media, add } = start()
  const photo = await add(ann(), 'photo')
  const opened = await media.open(photo.id, 'bytes=10-19')
  if (!opened.ok) throw new Error('The photo is gone.')
  expect(opened.partial).toBe(true)
  expect(await read(opened.body)).toHaveLength(10)
  expect(await media.open(photo.id, `bytes=${photo.bytes}-`)).toEqual({ ok: false, reason: 'range' })
  expect(rangeOf('bytes=-5', 100)).toEqual({ start: 95, end: 99 })
  expect(rangeOf('bytes=90-400', 100)).toEqual({ start: 90, end: 99 })
  expect(rangeOf('bytes=5-2', 100)).toBeNull()
  expect(rangeOf('bytes=0-1,5-6', 100)).toEqual({ start: 0, end: 99 })
})

test('removing a file removes everything derived from it', async () => {
  const { media, add, files } = start()
  const owner = ann()
  const photo = await add(owner, 'photo')
  expect(files()).toBe(4)
  expect(await media.remove(photo.id, ann())).toBe(false)
  expect(await media.remove(photo.blurredId ?? '', owner)).toBe(false)
  expect(files()).toBe(4)
  expect(await media.remove(photo.id, owner)).toBe(true)
  expect(files()).toBe(0)
  expect(await media.find(photo.id)).toBeNull()
  expect(await media.find(photo.blurredId ?? '')).toBeNull()
  expect(await media.open(photo.id)).toEqual({ ok: false, reason: 'gone' })
  expect(await media.remove(photo.id, owner)).toBe(false)
})

test('whose a removed file was is known for ninety days under each of its ids, papers and uploads of visitors aside', async () => {
  const { media, add, now } = start()
  const owner = ann()
  const video = await add(owner, 'post', await makeClip({ format: 'mp4', seconds: 1 }))
  const paper = await add(owner, 'kyc-id')
  const visitor = await visitorIn(app)
  const draft = await add(visitor, 'photo')
  const ids = [video.id, video.posterId, video.blurredId, paper.id, draft.id].map((id) => id ?? '')
  const owners = () => Promise.all([...ids, randomId()].map(media.ownerOf))
  const { member } = owner
  expect(await owners()).toEqual([member, member, member, member, null, null])
  for (const one of [video, paper, draft]) await media.remove(one.id, one.owner)
  const [first] = ids
  expect(await media.find(first ?? '')).toBeNull()
  expect(await owners()).toEqual([member, member, member, null, null, null])
  now.pass(90 * 24 * HOUR)
  await media.sweep()
  expect(await owners()).toEqual([member, member, member, null, null, null])
  now.pass(1)
  await media.sweep()
  expect(await owners()).toEqual(Array(6).fill(null))
})

test('only an own upload of the right kind and purpose can be claimed', async () => {
  const { media, add } = start()
  const [owner, other] = [ann(), ann()]
  const photo = await add(owner, 'photo')
  const voice = await add(owner, 'voice', await makeClip({ format: 'ogg', seconds: 1 }))
  const claim = { id: photo.id, purposes: ['photo', 'avatar'] as const }
  expect(await media.check(owner, [claim])).toMatchObject([{ id: photo.id }])
  expect(await media.check(other, [claim])).toBeNull()
  expect(await media.check(owner, [{ id: photo.id, purposes: ['post'] }])).toBeNull()
  expect(await media.check(owner, [{ ...claim, kind: 'video' }])).toBeNull()
  expect(await media.check(owner, [claim, { id: voice.id, purposes: ['voice'], kind: 'audio' }])).toHaveLength(2)
  expect(await media.check(owner, [claim, { id: randomId(), purposes: ['photo'] }])).toBeNull()
  expect(await media.check(owner, [{ id: photo.blurredId ?? '', purposes: ['photo'] }])).toBeNull()
  await media.remove(photo.id, owner)
  expect(await media.attach(owner, [claim])).toBeNull()
})

test('a visitor has room for nine photos and one voice, and the new member gets them', async () => {
  const { media, add } = start()
  const proofs = createSignupProofs({ db: app.db, now: testClock(), masterKey: MASTER_KEY })
  const { id: proof, token } = await proofs.issue({ email: 'ann@example.com', emailKey: 'a'.repeat(64) })
  const visitor = { proof, network: '192.0.2.1' }
  const file = await jpeg()
  const uploads = Array.from({ length: 12 }, () => media.upload({ owner: visitor, purpose: 'photo', file }))
  const stored = (await Promise.all(uploads)).flatMap((upload) => (upload.ok ? [upload.media] : []))
  expect(stored).toHaveLength(9)
  const note = await makeClip({ format: 'ogg', seconds: 1 })
  await add(visitor, 'voice', note)
  expect(await media.upload({ owner: visitor, purpose: 'voice', file: note })).toMatchObject({
    ok: false,
    reason: 'signup-full',
  })
  const owner = ann()
  const claims = stored.map(({ id }) => ({ id, purposes: ['photo'] as const }))
  await proofs.lease(token, 'mine')
  const handOver = (lease: string, more: readonly string[] = []) =>
    media.handOver({ proof, lease }, owner.member, [
      ...claims,
      ...more.map((id) => ({ id, purposes: ['photo'] as const })),
    ])
  expect(await handOver('not the lease')).toBe('over')
  expect(await handOver('mine', [randomId()])).toBe('missing')
  expect(await media.list(owner)).toEqual([])
  expect(await handOver('mine')).toBe('done')
  expect(await handOver('mine')).toBe('done')
  expect(await media.check(visitor, claims)).toBeNull()
  expect(await media.check(owner, claims)).toHaveLength(9)
  expect(await media.find(stored[0]?.blurredId ?? '')).toMatchObject({ owner })
})

test('a member stores no more than 300 files, also by many uploads at once', async () => {
  const { media, add, files } = start()
  const owner = ann()
  await add(owner, 'chat')
  const first = await app.db.selectFrom('media').selectAll().where('owner', '=', owner.member).executeTakeFirstOrThrow()
  const more = Array.from({ length: 289 }, () => ({ ...first, id: randomId(), blurred_id: null, original_id: null }))
  await app.db.insertInto('media').values(more).execute()
  const file = await jpeg(40, 40)
  const results = await Promise.all(
    Array.from({ length: 30 }, () => media.upload({ owner, purpose: 'chat', file }).then(({ ok }) => ok)),
  )
  expect(results.filter(Boolean)).toHaveLength(10)
  expect(files()).toBe(24)
  expect(await media.upload({ owner, purpose: 'chat', file })).toMatchObject({ ok: false, reason: 'storage-full' })
  await media.removeAll(owner)
  expect(files()).toBe(0)
})

test('a day later the sweep has taken what nothing uses, and kept the rest', async () => {
  const { media, add, now, store, root } = start()
  const owner = ann()
  const [used, unused] = [await add(owner, 'photo'), await add(owner, 'photo')]
  const paper = await add(owner, 'kyc-id')
  await media.attach(owner, [
    { id: used.id, purposes: ['photo'] },
    { id: paper.id, purposes: ['kyc-id'] },
  ])
  await store.write(randomId(), Buffer.from('a file that no row knows'))
  mkdirSync(join(root, 'drafts', 'another'), { recursive: true })
  writeFileSync(join(root, 'drafts', 'another', 'draft'), 'what a process elsewhere left')
  now.pass(23 * HOUR)
  await media.sweep()
  expect(await media.find(unused.id)).not.toBeNull()
  now.pass(Date.now() + 2 * HOUR)
  await media.sweep()
  expect(await media.find(unused.id)).toBeNull()
  expect(await media.find(paper.id)).toBeNull()
  expect(await media.find(used.id)).not.toBeNull()
  const left = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const forms = await app.db
    .selectFrom('media_form')
    .select('file')
    .where('media', 'in', [used.id, used.blurredId])
    .execute()
  expect(forms).toHaveLength(2)
  expect(left.map(({ name }) => name).sort()).toEqual(
    [used.id, used.blurredId, ...forms.map(({ file }) => file)].sort(),
  )
})

test('the sweep takes all uploads that nothing uses, however many, by hundreds', async () => {
  const { store, add, now } = start()
  const { id } = await add(ann(), 'photo')
  let [removing, most] = [0, 0]
  // Nobody in the crowd has a file to look for.
  const fileless = {
    ...store,
    async remove() {
      most = Math.max(most, ++removing)
      await Promise.resolve()
      removing--
    },
  }
  const media = createMediaFiles({ db: app.db, now, store: fileless, masterKey: MASTER_KEY, workers })
  await sql`insert into app.media (id, owner, purpose, kind, mime, bytes, created_at)
    select lpad(to_hex(n), 24, '0'), 'crowd', purpose, kind, mime, 1, created_at
    from app.media, generate_series(1, 1200) n where id = ${id}`.execute(app.db)
  now.pass(25 * HOUR)
  expect(await media.sweep()).toBeGreaterThan(1_200)
  expect(await media.list({ member: 'crowd' as MemberId })).toEqual([])
  // What is removed at once is what one statement names, of which Postgres takes tens of thousands.
  expect(most).toBe(500)
})

test('papers are sealed, have no derivatives, and are never served', async () => {
  const { media, store, add, files } = start()
  const paper = await add(ann(), 'kyc-id')
  expect(paper).toMatchObject({ blurredId: null, placeholder: null })
  expect(files()).toBe(1)
  expect(await media.open(paper.id)).toEqual({ ok: false, reason: 'gone' })
  await expect(sharp(await store.read(paper.id)).metadata()).rejects.toThrow()
  expect(await sharp((await media.readSealed(paper.id)) ?? Buffer.alloc(0)).metadata()).toMatchObject({
    format: 'webp',
  })
})

test('ids that are paths reach nothing', async () => {
  const { media, store } = start()
  for (const id of ['../../etc/passwd', '..%2f', `${'a'.repeat(20)}\0`, '', 'a'.repeat(24)]) {
    expect(await media.open(id)).toEqual({ ok: false, reason: 'gone' })
  }
  expect(() => store.stream('../../../etc/passwd')).toThrow('Not a media id.')
})

test('a signed link is for one viewer, one file and ten minutes', () => {
  const now = testClock()
  const links = createMediaLinks({ secret: MASTER_KEY, now })
  const [viewer, id] = [randomId() as MemberId, randomId()]
  const sig = links.sign(viewer, id)
  expect(links.verify(id, sig)).toBe(viewer)
  expect(links.verify(randomId(), sig)).toBeNull()
  expect(links.verify(id, sig.replace(viewer, randomId()))).toBeNull()
  for (const junk of ['', '..', 'x'.repeat(999)]) expect(links.verify(id, junk)).toBeNull()
  now.pass(600_000)
  expect(links.verify(id, sig)).toBeNull()
})
