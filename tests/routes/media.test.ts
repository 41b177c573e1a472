import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeClip } from '../services/support/clips.ts'
import { END, field, file } from '../services/support/forms.ts'
import { jpeg } from '../services/support/pictures.ts'
import { newcomer } from '../support/newcomers.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

let world: World
let ann: Person
let bea: Person
beforeAll(async () => {
  world = await startWorld()
  ann = await world.member('Ann')
  bea = await world.member('Bea')
  await world.match(ann, bea)
  await world.settled()
})
afterAll(() => world?.stop())

const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=b' }
async function upload(as: Person, purpose: string, bytes?: Buffer): Promise<string> {
  const body = new Uint8Array(Buffer.concat([field('purpose', purpose), file(bytes ?? (await jpeg())), END]))
  const answer = await world.api('/upload-media', { method: 'POST', as, headers: MULTIPART, body })
  return (await answer.json()).url
}
/** One of the first pictures of a member's profile. */
async function pictureOf({ id }: Person): Promise<string> {
  const row = await world.core.storage.app
    .selectFrom('media')
    .select('id')
    .where('owner', '=', id)
    .where('purpose', '=', 'photo')
    .where('original_id', 'is', null)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  return `/media/${row.id}`
}
const ask = (path: string, as: Person, headers: Record<string, string> = {}) => world.page(path, { as, headers })
const cachingOf = ({ status, headers }: Response) => [status, headers.get('Cache-Control'), headers.get('ETag')]

test('a browser keeps a profile picture and asks about it each time', async () => {
  const picture = await pictureOf(ann)
  const first = await ask(picture, bea)
  const etag = first.headers.get('ETag') ?? 'none'
  expect(cachingOf(first)).toEqual([200, 'private, no-cache', expect.stringMatching(/^"[^"]+"$/)])
  for (const known of [etag, `W/${etag}`, `"another", ${etag}`, '*']) {
    const again = await ask(picture, bea, { 'If-None-Match': known })
    expect([known, ...cachingOf(again)]).toEqual([known, 304, 'private, no-cache', etag])
    expect(await again.text()).toBe('')
  }
  expect((await ask(picture, bea, { 'If-None-Match': '"another"' })).status).toBe(200)
})

test('a picture that one may not see any more is not found, also for whoever has it still', async () => {
  const [cat, dan] = [await world.member('Cat'), await world.member('Dan')]
  await world.match(cat, dan)
  await world.settled()
  const picture = await pictureOf(cat)
  const etag = (await ask(picture, dan)).headers.get('ETag') ?? 'none'
  await world.block(cat, dan)
  await world.settled()
  const known = await ask(picture, dan, { 'If-None-Match': etag })
  const never = await ask(`/media/${'0'.repeat(24)}`, dan, { 'If-None-Match': etag })
  for (const answer of [known, never]) {
    expect(cachingOf(answer)).toEqual([404, 'no-store', null])
    expect(await answer.text()).toBe('Not found')
  }
})

test('a match hears the voice intro of the profile, and none that it had before or that was only sent', async () => {
  const [gus, hana] = [await world.member('Gus'), await world.member('Hana')]
  await world.match(gus, hana)
  const voice = async () => upload(gus, 'voice', await makeClip({ format: 'ogg', seconds: 1 }))
  const [first, second, third] = [await voice(), await voice(), await voice()]
  const heard = async () => {
    await world.settled()
    return Promise.all([first, second, third].map(async (path) => (await ask(path, hana)).status))
  }
  const put = (voiceIntro: string) =>
    world.api('/users/me', { method: 'PUT', as: gus, body: JSON.stringify({ voiceIntro }) })
  expect(await heard()).toEqual([404, 404, 404])
  expect((await put(first)).status).toBe(200)
  expect(await heard()).toEqual([200, 404, 404])
  expect((await put(second)).status).toBe(200)
  expect(await heard()).toEqual([404, 200, 404])
})

test('a list of favorites without the voice intro takes it away, and an edit without a list leaves it', async () => {
  const [ivo, jen] = [await world.member('Ivo'), await world.member('Jen')]
  await world.match(ivo, jen)
  const voice = await upload(ivo, 'voice', await makeClip({ format: 'ogg', seconds: 1 }))
  const put = async (body: object) => {
    const answer = await world.api('/users/me', { method: 'PUT', as: ivo, body: JSON.stringify(body) })
    return [answer.status, (await answer.json()).user.voiceIntro]
  }
  const heard = async () => {
    await world.settled()
    return (await ask(voice, jen)).status
  }
  const favorites = ['like:Tea', `voice:${voice}`, 'blur:blurred']
  expect(await put({ favorites })).toEqual([200, voice])
  expect(await put({ bio: 'Hums' })).toEqual([200, voice])
  expect(await put({ favorites })).toEqual([200, voice])
  expect(await heard()).toBe(200)
  expect(await put({ favorites: ['like:Tea'] })).toEqual([200, null])
  expect(await heard()).toBe(404)
  expect(await put({ favorites: [], voiceIntro: voice })).toEqual([200, voice])
  const { favorites: kept } = await (await world.api('/users/me', { as: ivo })).json()
  expect(kept, 'a choice of the blur stays until another is made').toEqual([`voice:${voice}`, 'blur:blurred'])
})

test('nothing keeps what was sent in a chat, in MicroBuzz or in the wizard', async () => {
  for (const purpose of ['chat', 'microbuzz', 'story']) {
    const path = await upload(ann, purpose)
    const known = { 'If-None-Match': `"${path.split('/').at(-1)}", *` }
    expect([purpose, ...cachingOf(await ask(path, ann, known))]).toEqual([purpose, 200, 'private, no-store', null])
  }
  const { signupToken, payload } = await newcomer(world)
  const headers = { Cookie: `__Host-signup=${signupToken}`, 'If-None-Match': '*' }
  for (const path of [payload.photos[0]!, `/register${payload.photos[0]!}`])
    expect(cachingOf(await world.page(path, { headers }))).toEqual([200, 'private, no-store', null])
})

test('a visitor sees their own uploads by the proof as the bearer token, and nothing else', async () => {
  const [ada, eve] = [await newcomer(world), await newcomer(world)]
  const statusOf = async (path: string, token: string) =>
    (await world.page(path, { headers: { Authorization: `Bearer ${token}` } })).status
  const [own] = ada.payload.photos as [string]
  expect(await statusOf(own, ada.signupToken)).toBe(200)
  expect(await statusOf(own, eve.signupToken)).toBe(404)
  expect(await statusOf(own, ann.token)).toBe(404)
  expect(await statusOf(await pictureOf(ann), ada.signupToken)).toBe(404)
  expect(await statusOf(await pictureOf(ann), ann.token)).toBe(200)
})

test('a part of a file is that part; beyond its end its size is the answer', async () => {
  const picture = await pictureOf(ann)
  const whole = Buffer.from(await (await ask(picture, bea)).arrayBuffer())
  const part = await ask(picture, bea, { Range: 'bytes=2-5' })
  expect([part.status, part.headers.get('Content-Range')]).toEqual([206, `bytes 2-5/${whole.length}`])
  expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(2, 6))
  const other = await ask(picture, bea, { Range: 'bytes=2-5', 'If-Range': '"another"' })
  expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, whole.length])
  const beyond = await ask(picture, bea, { Range: `bytes=${whole.length}-` })
  expect([beyond.status, beyond.headers.get('Content-Range')]).toEqual([416, `bytes */${whole.length}`])
  const stranger = await world.page(picture, { headers: { Range: `bytes=${whole.length}-` } })
  expect([stranger.status, stranger.headers.get('Content-Range')]).toEqual([404, null])
})

test('a stranger gets the blurred still of a video, and not the sharp one', async () => {
  const [ida, jon] = [await world.member('Ida'), await world.member('Jon')]
  await world.edit(ida, { visibilityMode: 'full', fieldVisibility: { photos: 'public' } })
  const clip = await makeClip({ format: 'mp4', seconds: 1 })
  const parts = [field('purpose', 'photo'), file(clip), file(await jpeg(640, 480), 'still'), END]
  const sent = { method: 'POST', as: ida, headers: MULTIPART, body: new Uint8Array(Buffer.concat(parts)) } as const
  const { url, id } = await (await world.api('/upload-media', sent)).json()
  const added = { method: 'POST', as: ida, body: JSON.stringify({ fileUrl: url, type: 'video', caption: '' }) } as const
  expect((await world.api('/upload-media', added)).status).toBe(200)
  await world.settled()
  const { posterId, blurredId } = (await world.services.media.find(id))!
  const statusOf = async (of: string | null, as: Person) => (await ask(`/media/${of}`, as)).status
  expect(await Promise.all([posterId, blurredId].map((of) => statusOf(of, jon)))).toEqual([404, 200])
  expect(await Promise.all([posterId, blurredId].map((of) => statusOf(of, ida)))).toEqual([200, 200])
})

const SIZES = [96, 320, 720]
/** A new picture of a member's profile, shown to whoever may see it. */
async function addPicture(as: Person, width = 800, height = 1000): Promise<{ id: string; url: string }> {
  const url = await upload(as, 'photo', await jpeg(width, height))
  const added = { method: 'POST', as, body: JSON.stringify({ fileUrl: url, type: 'image', caption: '' }) } as const
  expect((await world.api('/upload-media', added)).status).toBe(200)
  await world.settled()
  return { url, id: url.split('/').at(-1)! }
}
const sizeOf = async (answer: Response) => (await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).width

test('a picture is answered as large as asked, never larger than it is, and each size has its own ETag', async () => {
  const { url } = await addPicture(ann)
  const answers = await Promise.all([...SIZES, 1080].map((w) => ask(`${url}?w=${w}`, bea)))
  expect(await Promise.all(answers.map(sizeOf))).toEqual([96, 320, 720, 800])
  const tags = answers.map(({ headers }) => headers.get('ETag'))
  expect(new Set(tags).size).toBe(4)
  expect(await sizeOf(await ask(`${url}?w=200`, bea))).toBe(320)
  for (const asked of ['', '?w=0x9', '?w=99999', '?w=-1']) expect(await sizeOf(await ask(url + asked, bea))).toBe(800)
  const again = await ask(`${url}?w=320`, bea, { 'If-None-Match': tags[1]! })
  expect([...cachingOf(again), again.headers.get('Vary')]).toEqual([304, 'private, no-cache', tags[1], 'Accept'])
  expect((await ask(`${url}?w=320`, bea, { 'If-None-Match': tags[2]! })).status).toBe(200)
  const part = await ask(`${url}?w=320`, bea, { Range: 'bytes=2-5' })
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 4])
})

test('who can show AVIF gets it once it is there, and nobody else does', async () => {
  const { url } = await addPicture(ann, 400, 500)
  const typeOf = async (Accept: string) => (await ask(`${url}?w=320`, bea, { Accept })).headers.get('Content-Type')
  expect(await typeOf('image/avif,image/webp,*/*')).toBe('image/webp')
  while ((await world.services.media.deriveForms()) !== null);
  expect(await typeOf('image/avif,image/webp,*/*')).toBe('image/avif')
  for (const accept of ['*/*', 'image/webp,*/*;q=0.8', 'image/avif;q=0, image/webp', 'image/avifs'])
    expect([accept, await typeOf(accept)]).toEqual([accept, 'image/webp'])
})

test('a blurred twin has addresses, sizes and ETags of its own, which show nothing of the picture', async () => {
  const [kim, lee] = [await world.member('Kim'), await world.member('Lee')]
  const { id, url } = await addPicture(kim)
  const blurred = `/media/${(await world.services.media.find(id))!.blurredId}`
  const tagsOf = (path: string, as: Person) =>
    Promise.all(SIZES.map(async (w) => (await ask(`${path}?w=${w}`, as)).headers.get('ETag')))
  const [clear, twin] = [await tagsOf(url, kim), await tagsOf(blurred, lee)]
  expect(new Set([...clear, ...twin]).size).toBe(6)
  for (const tag of clear) {
    const refused = await ask(`${url}?w=320`, lee, { 'If-None-Match': tag! })
    expect(cachingOf(refused)).toEqual([404, 'no-store', null])
    expect((await ask(`${blurred}?w=320`, lee, { 'If-None-Match': tag! })).status).toBe(200)
  }
  // The name of a stored file is no address.
  expect((await ask(`/media/${clear[1]!.slice(1, -1)}`, kim)).status).toBe(404)
})

test('a right that is gone ends at once, for each size and for whoever has it still', async () => {
  const [mia, ned] = [await world.member('Mia'), await world.member('Ned')]
  await world.match(mia, ned)
  const { url } = await addPicture(mia)
  const paths = ['', ...SIZES.map((w) => `?w=${w}`)].map((query) => url + query)
  const tags = await Promise.all(paths.map(async (path) => (await ask(path, ned)).headers.get('ETag')))
  await world.unmatch(mia, ned)
  await world.settled()
  for (const [at, path] of paths.entries())
    for (const known of [tags[at]!, '*'])
      expect(cachingOf(await ask(path, ned, { 'If-None-Match': known }))).toEqual([404, 'no-store', null])
})
