import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { FILE_TOO_LARGE } from '../../app/words/file-sizes.ts'
import { ENDLESS, endlessClip } from '../services/support/endless.ts'
import { begun, draftsIn, END, field, file } from '../services/support/forms.ts'
import { jpeg, picture } from '../services/support/pictures.ts'
import { holdNode } from '../support/described/hold-node.ts'
import { until } from '../support/until.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

let world: World
let ann: Person
beforeAll(async () => {
  world = await startWorld({ mediaLimits: { deadlineMs: 8_000, program: ENDLESS } })
  ann = await world.member('Ann')
}, 120_000)
afterAll(() => world?.stop())

const MIB = 1024 * 1024
const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=b' }
const drafts = () => draftsIn(join(world.dataDir, 'media'))
/** A draft goes a moment after its answer. */
const noDraft = () => until('no draft', () => drafts().length === 0)
const bodyOf = (parts: readonly Buffer[]) => new Uint8Array(Buffer.concat([...parts, END]))
async function call(...parts: readonly Buffer[]) {
  const init = { method: 'POST', as: ann, headers: MULTIPART, body: bodyOf(parts) }
  const answer = await world.api('/upload-media', init)
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
}
const post = (path: string, ...parts: readonly Buffer[]) =>
  world.page(path, { method: 'POST', as: ann, headers: MULTIPART, body: bodyOf(parts) })
const large = async () => Buffer.concat([await jpeg(), randomBytes(20 * MIB)])

test('a clip that no parser comes to the end of is refused, and the process answers everybody meanwhile', async () => {
  const bea = await world.member('Bea')
  const body = bodyOf([file(await jpeg())])
  const photo = (as: Person) => world.api('/upload-media', { method: 'POST', as, headers: MULTIPART, body })
  // A process that has started needs a moment for a photo: far less than the deadline.
  for (const { status } of await Promise.all([photo(ann), photo(bea)])) expect(status).toBe(200)
  let refused = false
  const hostile = call(file(endlessClip())).finally(() => {
    refused = true
  })
  expect([(await photo(bea)).status, (await fetch(`${world.url}/healthz`)).status, refused]).toEqual([200, 200, false])
  expect(await hostile).toEqual({ status: 400, json: { ok: false, error: 'Upload failed.' } })
  expect(await call(file(await jpeg()))).toMatchObject({ status: 200 })
  await noDraft()
})

test('a call answers 413 for too large a file, 415 for an unknown one, 400 for two and for a broken form', async () => {
  const photo = file(await jpeg())
  expect(await call(photo)).toMatchObject({ status: 200, json: { ok: true } })
  const refusals = [
    [413, 'File too large', [file(await large())]],
    [415, 'Unsupported file type', [file('<!doctype html>'.repeat(999))]],
    [400, 'Upload failed.', [photo, photo]],
    [400, 'Upload failed.', [begun(await jpeg())]],
    [400, 'Upload failed.', [field('purpose', 'everything'), photo]],
  ] as const
  for (const [status, error, parts] of refusals) {
    expect(await call(...parts), error).toEqual({ status, json: { ok: false, error } })
  }
  await noDraft()
})

test('a call for any purpose takes a large file after its purpose alone, and one for photos without any', async () => {
  const heavy = file(await picture(1500, 1500).png({ compressionLevel: 0 }).toBuffer())
  const avatar = field('purpose', 'avatar')
  const answer = async (path: string, ...parts: readonly Buffer[]) => {
    const taken = await world.api(path, { method: 'POST', as: ann, headers: MULTIPART, body: bodyOf(parts) })
    return [taken.status, ((await taken.json()) as { error?: string }).error]
  }
  const late = [413, 'Send `purpose` before a file of more than 2 MiB.']
  expect(await answer('/upload-media-file', heavy, avatar)).toEqual(late)
  expect(await answer('/upload-media', heavy, avatar)).toEqual(late)
  expect(await answer('/upload-media-file', avatar, heavy)).toEqual([200, undefined])
  expect(await answer('/upload-media', heavy)).toEqual([200, undefined])
  await noDraft()
})

test('an upload that nobody had time for is refused with how long to wait, by call and on a page', async () => {
  const photo = file(await jpeg())
  const busy = vi.spyOn(world.services.media, 'receive').mockResolvedValue({ ok: false, reason: 'busy' })
  const form = { method: 'POST', as: ann, headers: MULTIPART, body: bodyOf([photo]) }
  const answers = [
    await world.api('/upload-media', form),
    await world.api('/upload-media-file', form),
    await world.page('/media-upload?purpose=photo', form),
  ]
  busy.mockRestore()
  for (const answer of answers) {
    const { retryInMs } = (await answer.json()) as { retryInMs?: number }
    expect([answer.status, answer.headers.get('Retry-After'), retryInMs]).toEqual([503, '10', 10_000])
  }
})

test.each([53, 60])('a call of %i MiB, all of which is sent, is answered 413', async (mib) => {
  const { status, json } = await call(file(Buffer.alloc(mib * MIB)))
  expect([status, json.error]).toEqual([413, 'File too large'])
  await noDraft()
})

/** What 50 MiB are answered of which no more comes than this, from somebody without a session. */
async function answerTo(path: string, start: Buffer, more: Record<string, string> = {}): Promise<number> {
  const headers = { ...MULTIPART, ...more, Origin: world.url, 'Content-Length': 50 * MIB }
  const sending = httpRequest(`${world.url}${path}`, { method: 'POST', headers })
  sending.on('error', () => undefined)
  const answered = once(sending, 'response')
  sending.write(start)
  const [answer] = (await answered) as [IncomingMessage]
  await holdNode(`${world.url}${path}`, 'POST', answer, Buffer.concat(await answer.toArray()))
  sending.destroy()
  return answer.statusCode ?? 0
}

const OF_MEMBERS = [
  ['/api/upload-media', 401],
  ['/api/upload-media-file', 401],
  ['/media-upload', 302],
  ['/register', 302],
  ['/profile/gallery', 302],
  ['/profile/edit', 302],
] as const

test.each(OF_MEMBERS)(
  'whoever shows neither a session nor a proof to %s is answered %i before the file is read',
  async (path, status) => {
    await noDraft()
    expect([await answerTo(path, begun(await jpeg())), drafts()]).toEqual([status, []])
  },
)

test.each(OF_MEMBERS)(
  'a browser without a session that sends a file to %s is answered %i once the start of its form is read',
  async (path, status) => {
    const start = Buffer.concat([begun(await jpeg()), randomBytes(MIB)])
    await noDraft()
    expect([await answerTo(path, start, { Accept: 'text/html' }), drafts()]).toEqual([status, []])
  },
)

test.each([
  ['a page', '/settings/export'],
  ['a conversation', '/chat/0123456789abcdefghij'],
  ['a call', '/api/likes'],
])('a body of 2 MiB with parts for %s that takes no file is answered 413', async (_what, path) => {
  const headers = { ...MULTIPART, Cookie: ann.cookie, Authorization: `Bearer ${ann.token}`, Origin: world.url }
  const body = bodyOf([file(randomBytes(2 * MIB))])
  const answer = await fetch(`${world.url}${path}`, { method: 'POST', headers, body, redirect: 'manual' })
  expect([answer.status, (await answer.text()).includes('picture')]).toEqual([413, false])
})

test('an upload that its sender breaks off leaves nothing on disk', async () => {
  for (const path of ['/api/upload-media', '/profile/gallery']) {
    const headers = { ...MULTIPART, Authorization: `Bearer ${ann.token}`, Cookie: ann.cookie, Origin: world.url }
    const sending = httpRequest(`${world.url}${path}`, { method: 'POST', headers })
    sending.on('error', () => undefined)
    sending.write(Buffer.concat([begun(await jpeg()), randomBytes(2 * MIB)]))
    await until(`a draft of ${path}`, () => drafts().some((size) => size > MIB))
    sending.destroy()
    await until(`no draft of ${path}`, () => drafts().length === 0)
  }
})

test('a page says beside its form why it did not take a file, and does not show a broken one', async () => {
  const intent = field('intent', 'upload')
  const refused = await post('/profile/gallery', file(await large()), intent)
  expect([refused.status, (await refused.text()).includes(FILE_TOO_LARGE)]).toEqual([413, true])
  const broken = await post('/profile/gallery', intent, file('').subarray(0, 20))
  expect([broken.status, (await broken.text()).includes('That did not look right')]).toEqual([400, true])
  const added = await post('/profile/gallery', file(await jpeg()), intent)
  expect([added.status, added.headers.get('Location')]).toEqual([302, '/profile/gallery?saved=add#saved'])
  await noDraft()
})

test('a page without files takes the fields of a multipart form, and no more than their limits', async () => {
  const saved = await post('/profile/edit', field('section', 'place'), field('city', 'Porto'), field('state', 'Norte'))
  expect(saved.headers.get('Location')).toContain('saved=place')
  const many = Array.from({ length: 201 }, () => field('f', 'x'))
  expect((await post('/profile/privacy', ...many)).status).toBe(400)
  expect((await post('/profile/privacy', file(randomBytes(2 * MIB)))).status).toBe(413)
})
