import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { NewDraft } from '../../services/media/drafts.ts'
import { readPageForm, readUploadForm } from '../../services/media/form.ts'
import {
  begun,
  END,
  FREELY,
  field,
  fieldsOf,
  file,
  formsInStore,
  sent,
  streamed,
  TINY,
  UPLOAD_URL,
} from './support/forms.ts'
import { jpeg } from './support/pictures.ts'

const MIB = 1024 * 1024
const HTML = '<!doctype html><script>alert(1)</script>'.repeat(200)

test('a form brings its files and fields, byte for byte, and its files are gone when the work ends', async () => {
  const { withDrafts, drafts } = formsInStore()
  const content = Buffer.concat([await jpeg(), Buffer.from('\r\n--b\r\n--almost\r\n--')])
  const form = new FormData()
  for (const [name, value] of Object.entries({ purpose: 'photo', caption: 'Grüße' })) form.set(name, value)
  form.set('file', new Blob([new Uint8Array(content)]), '../../evil.php\u202egpj.jpg')
  form.append('empty', new Blob([]), '')
  const request = new Request(UPLOAD_URL, { method: 'POST', body: form })
  await withDrafts(async (newDraft) => {
    const read = await readUploadForm(request, { purposeOf: () => 'photo', newDraft })
    if (!read.ok) throw new Error(read.reason)
    expect([...read.fields]).toEqual([
      ['purpose', 'photo'],
      ['caption', 'Grüße'],
    ])
    expect([...read.files.keys()]).toEqual(['file'])
    const [received] = read.files.get('file') ?? []
    if (!received?.ok) throw new Error('The file was not kept.')
    expect(received.size).toBe(content.length)
    expect(Buffer.compare(await received.bytes(), content)).toBe(0)
    expect(drafts()).toEqual([content.length])
  })
  expect(drafts()).toEqual([])
})

test('an endless picture is cut off at its limit, and an endless unknown file at once', async () => {
  const { upload, drafts } = formsInStore()
  const chunk = randomBytes(MIB)
  const onDisk: number[] = []
  const endless = streamed(begun(await jpeg()), () => {
    onDisk.push(...drafts())
    return chunk
  })
  expect(await upload(endless.request, { purpose: 'photo' })).toMatchObject({ ok: false, reason: 'too-large' })
  expect(endless.seen).toMatchObject({ cancelled: true })
  expect(endless.seen.chunks).toBeLessThan(20)
  expect(Math.max(...onDisk)).toBeGreaterThan(10 * MIB)
  expect(Math.max(...onDisk)).toBeLessThanOrEqual(15 * MIB)
  const unknown = streamed(begun(Buffer.from(HTML)), () => chunk)
  expect(await upload(unknown.request)).toMatchObject({ ok: false, reason: 'unsupported' })
  expect(unknown.seen.chunks).toBeLessThan(4)
  expect(drafts()).toEqual([])
})

test('a body is read no faster than its file is written', async () => {
  const { upload, drafts } = formsInStore()
  const chunk = randomBytes(MIB / 4)
  const body = [...Array<Uint8Array>(48).fill(chunk), Buffer.concat([Buffer.from('\r\n'), END])]
  let given = 0
  const ahead: number[] = []
  const large = streamed(begun(await jpeg()), () => {
    ahead.push(given - (drafts()[0] ?? 0))
    given += chunk.length
    return body.shift() ?? null
  })
  expect(await upload(large.request, { purpose: 'photo' })).toMatchObject({ ok: true })
  expect(ahead).toHaveLength(50)
  expect(Math.max(...ahead)).toBeLessThan(MIB)
})

test('a file may have as many bytes as its purpose takes, where the purpose is known', async () => {
  const { upload, drafts } = formsInStore()
  const chunk = randomBytes(MIB / 4)
  for (const [purpose, limit] of [
    ['microbuzz', 2],
    ['avatar', 15],
  ] as const) {
    const onDisk: number[] = []
    const endless = streamed(begun(await jpeg()), () => {
      onDisk.push(...drafts())
      return chunk
    })
    expect(await upload(endless.request, { purpose })).toMatchObject({ ok: false, reason: 'too-large' })
    expect(Math.max(...onDisk)).toBeLessThanOrEqual(limit * MIB)
  }
  const photo = streamed(begun(await jpeg()), () => chunk)
  expect(await upload(photo.request, { purpose: 'voice' })).toMatchObject({ ok: false, reason: 'unsupported' })
  expect(photo.seen.chunks).toBeLessThan(4)
})

test('a body that stops coming, breaks off or ends early is let go, with what came of it', async () => {
  const { upload, drafts } = formsInStore()
  const bodies = {
    stops: () => new Promise<null>(() => undefined),
    breaks: () => Promise.reject(new Error('The connection is gone.')),
    ends: () => null,
  }
  for (const [how, next] of Object.entries(bodies)) {
    const seen: number[] = []
    let chunks = 0
    const { request } = streamed(begun(await jpeg()), () => {
      seen.push(...drafts())
      return chunks++ < 3 ? randomBytes(MIB) : next()
    })
    expect(await upload(request, { purpose: 'photo', idleMs: 100 }), how).toMatchObject({
      ok: false,
      reason: 'upload-failed',
    })
    expect(seen.length, how).toBeGreaterThan(0)
    expect(drafts(), how).toEqual([])
  }
})

test('a refusal waits for no more of the body', async () => {
  const { upload } = formsInStore()
  const silent = streamed(begun(Buffer.from(HTML)), () => new Promise<null>(() => undefined))
  const idleMs = 10 * 60_000
  expect(await upload(silent.request, { idleMs })).toMatchObject({ ok: false, reason: 'unsupported' })
  expect(silent.seen.cancelled).toBe(true)
})

test('a failing disk is an error, not a refusal', async () => {
  const request = sent(file(await jpeg(800, 600)), END)
  const newDraft = () => Promise.reject(new Error('No space left on device.'))
  await expect(readUploadForm(request, { purposeOf: () => 'undecided', newDraft })).rejects.toThrow('No space left')
})

test('a page keeps its fields when a file is refused, and passes over files it did not ask for', async () => {
  const { page, drafts } = formsInStore()
  const large = Buffer.concat([await jpeg(), randomBytes(16 * MIB)])
  const request = sent(file(large), field('name', 'Ann'), file('x', 'other'), file(HTML), file(TINY), END)
  const form = await page(request, { file: 'photo' })
  if (!form.ok) throw new Error(form.reason)
  expect([...form.fields]).toEqual([['name', 'Ann']])
  expect([...form.files.keys()]).toEqual(['file'])
  expect(form.files.get('file')).toMatchObject([
    { reason: 'too-large' },
    { reason: 'unsupported' },
    { ok: true, size: TINY.length },
  ])
  expect(drafts()).toEqual([])
})

test('the files of a name keep their order, whichever is on disk first', async () => {
  const { withDrafts } = formsInStore()
  const contents = ['first', 'second', 'third'].map((word) => Buffer.concat([TINY, Buffer.from(word)]))
  const request = sent(...contents.map((content) => file(content)), END)
  await withDrafts(async (newDraft) => {
    let goOn: () => void = () => undefined
    const second = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let drafts = 0
    const firstIsSlow: NewDraft = async () => {
      if (drafts++ === 0) await second
      else goOn()
      return newDraft()
    }
    const form = await readPageForm(request, { purposes: { file: 'photo' }, newDraft: firstIsSlow, uploads: FREELY })
    if (!form.ok) throw new Error(form.reason)
    const received = form.files.get('file') ?? []
    const kept = await Promise.all(received.map(async (one) => (one.ok ? await one.bytes() : null)))
    expect(kept).toEqual(contents)
  })
})

test('a page without files reads either encoding, and no other', async () => {
  const { page } = formsInStore()
  const body = { name: 'Grüße & Co', note: 'a+b\r\nc' }
  const plain = new Request(UPLOAD_URL, { method: 'POST', body: new URLSearchParams(body) })
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) form.set(name, value)
  form.set('photo', new Blob(['x']), 'a.png')
  const multipart = new Request(UPLOAD_URL, { method: 'POST', body: form })
  for (const request of [plain, multipart]) expect(fieldsOf(await page(request))).toEqual(Object.entries(body))
  const text = new Request(UPLOAD_URL, { method: 'POST', body: 'name=Ann' })
  expect(await page(text)).toMatchObject({ ok: false, reason: 'upload-failed' })
  const endless = streamed(begun(Buffer.from(HTML)), () => randomBytes(MIB / 4))
  expect(await page(endless.request)).toMatchObject({ ok: false, reason: 'too-large' })
  expect(endless.seen.chunks).toBeLessThan(10)
})
