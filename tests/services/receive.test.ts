import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { Uploader } from '../../services/media/records.ts'
import { randomId } from '../../services/random-id.ts'
import { tempDir } from '../support/temp-dir.ts'
import { appDatabase } from './support/app.ts'
import { makeClip } from './support/clips.ts'
import { begun, bytesOnDisk, draftsIn, END, FREELY, field, file, sent, streamed, TINY } from './support/forms.ts'
import { mediaIn, sender, visitorIn } from './support/media.ts'
import { jpeg, picture } from './support/pictures.ts'

const app = appDatabase()
const ann = () => ({ member: randomId() as MemberId })
const FAILED = { ok: false, reason: 'upload-failed' }
const MIB = 1024 * 1024

function start() {
  const world = mediaIn(tempDir(), app)
  const receive = (parts: readonly Buffer[], owner: Uploader = ann()) =>
    world.media.receive(sent(...parts, END), owner, { sender })
  return { ...world, receive, drafts: () => draftsIn(world.root) }
}

test('an upload by form is stored under an id of its own, for the purpose that it names before or after', async () => {
  const { receive, drafts } = start()
  const photo = file(await jpeg())
  expect(await receive([photo])).toMatchObject({ ok: true, media: { purpose: 'photo', kind: 'image' } })
  const avatar = field('purpose', 'avatar')
  for (const parts of [
    [avatar, photo],
    [photo, avatar],
  ]) {
    expect(await receive(parts)).toMatchObject({ ok: true, media: { purpose: 'avatar' } })
  }
  expect(await receive([field('purpose', 'everything'), photo])).toEqual(FAILED)
  expect(drafts()).toEqual([])
})

test('an upload is one file, with a still at most', async () => {
  const { receive, store, drafts } = start()
  const clip = await makeClip({ format: 'mp4', seconds: 1 })
  const [photo, still] = [await jpeg(), await jpeg(640, 480)]
  expect(await receive([file(photo), file(photo)])).toEqual(FAILED)
  expect(await receive([file(photo), file(photo, 'selfie')])).toEqual(FAILED)
  expect(await receive([file(photo), file(photo, 'other')])).toEqual(FAILED)
  expect(await receive([file(clip), file(still, 'still'), file(still, 'still')])).toEqual(FAILED)
  expect(await receive([field('purpose', 'photo')])).toEqual(FAILED)
  expect(await receive([file(still, 'still')])).toEqual(FAILED)
  expect(await receive([file(''), file(photo), file('', 'still')])).toMatchObject({ ok: true })
  const video = await receive([file(clip), file(still, 'still')])
  if (!video.ok) throw new Error(video.reason)
  expect(await sharp(await store.read(video.media.posterId ?? '')).metadata()).toMatchObject({ width: 640 })
  expect(drafts()).toEqual([])
})

test('a purpose that its sender may not have is refused before the file is read', async () => {
  const { media, receive } = start()
  const visitor = await visitorIn(app)
  const photo = file(await jpeg())
  expect(await receive([photo, field('purpose', 'chat')], visitor)).toEqual(FAILED)
  expect(await receive([field('purpose', 'avatar'), photo], visitor)).toMatchObject({ ok: true })
  for (const [purpose, owner] of [
    ['kyc-id', visitor],
    ['everything', ann()],
  ] as const) {
    const head = Buffer.concat([field('purpose', purpose), begun(await jpeg())])
    const endless = streamed(head, () => randomBytes(MIB))
    expect(await media.receive(endless.request, owner, { sender })).toEqual(FAILED)
    expect(endless.seen.chunks).toBeLessThan(4)
  }
})

test('a file is measured by its purpose, also where that comes last', async () => {
  const { receive, drafts } = start()
  const heavy = await picture(1500, 1500).png({ compressionLevel: 0 }).toBuffer()
  const purpose = field('purpose', 'microbuzz')
  const [tooLarge, purposeFirst] = ['too-large', 'purpose-first'].map((reason) => ({ ok: false, reason }))
  expect(await receive([purpose, file(heavy, 'selfie')])).toEqual(tooLarge)
  expect(await receive([file(heavy, 'selfie'), purpose])).toEqual(purposeFirst)
  const small = [purpose, file(await jpeg(), 'selfie')]
  expect(await receive(small)).toMatchObject({ ok: true, media: { width: 320, height: 320 } })
  expect(drafts()).toEqual([])
})

test('of a voice note that comes before its purpose no more is kept than any purpose has room for', async () => {
  const { media, drafts } = start()
  const note = await makeClip({ format: 'mp4', seconds: 1, video: false })
  const kept: number[] = []
  const endless = (head: Buffer) =>
    streamed(head, () => {
      kept.push(...drafts())
      return randomBytes(MIB)
    })
  const late = endless(begun(note))
  expect(await media.receive(late.request, ann(), { sender })).toEqual({ ok: false, reason: 'purpose-first' })
  expect([Math.max(...kept) <= 2 * MIB, late.seen.chunks <= 3]).toEqual([true, true])
  const early = endless(Buffer.concat([field('purpose', 'voice'), begun(note)]))
  expect(await media.receive(early.request, ann(), { sender })).toEqual({ ok: false, reason: 'too-large' })
  expect(early.seen.chunks).toBeLessThanOrEqual(6)
  expect(drafts()).toEqual([])
})

test('where a path is for photos a photo needs no purpose, and a large one is for nothing else', async () => {
  const { media, drafts } = start()
  const heavy = file(await picture(1500, 1500).png({ compressionLevel: 0 }).toBuffer())
  const note = file(await makeClip({ format: 'ogg', seconds: 1 }))
  const receive = (...parts: readonly Buffer[]) =>
    media.receive(sent(...parts, END), ann(), { sender, assumed: 'photo' })
  expect(await receive(heavy)).toMatchObject({ ok: true, media: { purpose: 'photo' } })
  expect(await receive(heavy, field('purpose', 'photo'))).toMatchObject({ ok: true })
  expect(await receive(field('purpose', 'avatar'), heavy)).toMatchObject({ ok: true, media: { purpose: 'avatar' } })
  expect(await receive(heavy, field('purpose', 'avatar'))).toEqual({ ok: false, reason: 'purpose-first' })
  expect(await receive(note, field('purpose', 'voice'))).toMatchObject({ ok: true, media: { purpose: 'voice' } })
  expect(drafts()).toEqual([])
})

test('papers are never on disk as they were sent, also where their purpose comes last', async () => {
  const { media, root } = start()
  const paper = await jpeg(800, 600)
  const piece = 32 * 1024
  const pieces = Array.from({ length: Math.ceil(paper.length / piece) }, (_, n) =>
    paper.subarray(n * piece).subarray(0, piece),
  )
  const [first = paper, ...others] = pieces
  const following = [...others, Buffer.concat([Buffer.from('\r\n'), field('purpose', 'kyc-id'), END])]
  const onDisk: Buffer[] = []
  const { request } = streamed(begun(first), () => {
    onDisk.push(...bytesOnDisk(root))
    return following.shift() ?? null
  })
  const received = await media.receive(request, ann(), { sender })
  if (!received.ok) throw new Error(received.reason)
  onDisk.push(...bytesOnDisk(root))
  expect(Math.max(...onDisk.map(({ length }) => length))).toBeGreaterThan(paper.length / 2)
  const marks = Array.from({ length: Math.floor(paper.length / 1000) }, (_, n) =>
    paper.subarray(n * 1000, n * 1000 + 24),
  )
  expect(onDisk.filter((bytes) => marks.some((mark) => bytes.includes(mark)))).toEqual([])
  expect(await sharp((await media.readSealed(received.media.id)) ?? Buffer.alloc(0)).metadata()).toMatchObject({
    format: 'webp',
  })
})

test('what is refused after it was read leaves nothing on disk', async () => {
  const { media, receive, drafts } = start()
  const refused = { unknown: '<!doctype html>', broken: (await jpeg(800, 600)).subarray(0, 9000) }
  for (const [what, content] of Object.entries(refused)) {
    expect(await receive([file(content)]), what).toMatchObject({ ok: false })
  }
  const visitor = await visitorIn(app)
  const clip = await makeClip({ format: 'ogg', seconds: 1 })
  const voice = () => receive([field('purpose', 'voice'), file(clip)], visitor)
  expect(await voice()).toMatchObject({ ok: true, media: { kind: 'audio' } })
  expect(await voice()).toMatchObject({ ok: false, reason: 'signup-full' })
  expect(await media.list(visitor)).toHaveLength(1)
  expect(drafts()).toEqual([])
})

test('a form of a page has its files until its work ends, and no longer, also when that throws', async () => {
  const { media, drafts } = start()
  const owner = ann()
  const form = () => sent(field('note', 'x'), file(TINY, 'photo'), END)
  const failing = media.withForm(form(), { purposes: { photo: 'photo' }, sender, uploads: FREELY }, async (read) => {
    expect(read).toMatchObject({ ok: true })
    expect(drafts()).toEqual([TINY.length])
    throw new Error('It goes wrong.')
  })
  await expect(failing).rejects.toThrow('It goes wrong.')
  expect(drafts()).toEqual([])
  const request = sent(file(await jpeg(), 'photo'), file('x', 'photo'), END)
  const outcomes = await media.withForm(
    request,
    { purposes: { photo: 'photo' }, sender, uploads: FREELY },
    async (read) => {
      const files = read.ok ? (read.files.get('photo') ?? []) : []
      return Promise.all(files.map((one) => (one.ok ? media.upload({ owner, purpose: 'photo', file: one }) : one)))
    },
  )
  expect(outcomes).toMatchObject([{ ok: true }, { ok: false, reason: 'unsupported' }])
  expect(drafts()).toEqual([])
})
