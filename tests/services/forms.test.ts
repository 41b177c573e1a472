import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MediaPurpose } from '../../domain/shared/media.ts'
import type { NewDraft } from '../../services/media/drafts.ts'
import { type FormRead, readPageForm, readUploadForm } from '../../services/media/form.ts'
import { createFileStore } from '../../services/media/store.ts'
import { tempDir } from '../support/temp-dir.ts'
import { begun, draftsIn, END, field, file, part, sent, streamed, UPLOAD_URL } from './support/forms.ts'
import { jpeg } from './support/media.ts'

const MIB = 1024 * 1024
const HTML = '<!doctype html><script>alert(1)</script>'.repeat(200)

function start() {
  const root = tempDir()
  const { withDrafts } = createFileStore(root, { own: 'own', isLeft: () => false })
  const reading = (read: (newDraft: NewDraft) => Promise<FormRead>) => withDrafts(read)
  const upload = (request: Request, { purpose, idleMs }: { purpose?: MediaPurpose; idleMs?: number } = {}) =>
    reading((newDraft) => {
      const purposeOf = () => purpose ?? ('unsaid' as const)
      return readUploadForm(request, { purposeOf, newDraft, ...(idleMs && { idleMs }) })
    })
  const page = (request: Request, purposes: Record<string, MediaPurpose> = {}) =>
    reading((newDraft) => readPageForm(request, { purposes, newDraft }))
  return { upload, page, withDrafts, drafts: () => draftsIn(root) }
}
const fieldsOf = (form: FormRead) => (form.ok ? [...form.fields] : form)

test('a form brings its files and fields, byte for byte, and its files are gone when the work ends', async () => {
  const { withDrafts, drafts } = start()
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
    expect(Buffer.compare(readFileSync(received.path), content)).toBe(0)
    expect(drafts()).toEqual([content.length])
  })
  expect(drafts()).toEqual([])
})

test('an endless picture is cut off at its limit, and an endless unknown file at once', async () => {
  const { upload, drafts } = start()
  const chunk = randomBytes(MIB)
  const onDisk: number[] = []
  const endless = streamed(begun(await jpeg()), () => {
    onDisk.push(...drafts())
    return chunk
  })
  expect(await upload(endless.request)).toMatchObject({ ok: false, reason: 'too-large' })
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
  const { upload, drafts } = start()
  const chunk = randomBytes(MIB / 4)
  const body = [...Array<Uint8Array>(48).fill(chunk), Buffer.concat([Buffer.from('\r\n'), END])]
  let given = 0
  const ahead: number[] = []
  const large = streamed(begun(await jpeg()), () => {
    ahead.push(given - (drafts()[0] ?? 0))
    given += chunk.length
    return body.shift() ?? null
  })
  expect(await upload(large.request)).toMatchObject({ ok: true })
  expect(ahead).toHaveLength(50)
  expect(Math.max(...ahead)).toBeLessThan(MIB)
})

test('a file may have as many bytes as its purpose takes, where the purpose is known', async () => {
  const { upload, drafts } = start()
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
  const { upload, drafts } = start()
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
    expect(await upload(request, { idleMs: 100 }), how).toMatchObject({ ok: false, reason: 'upload-failed' })
    expect(seen.length, how).toBeGreaterThan(0)
    expect(drafts(), how).toEqual([])
  }
})

test('a failing disk is an error, not a refusal', async () => {
  const request = sent(file(await jpeg(800, 600)), END)
  const newDraft = () => Promise.reject(new Error('No space left on device.'))
  await expect(readUploadForm(request, { purposeOf: () => 'unsaid', newDraft })).rejects.toThrow('No space left')
})

test('a broken form is refused', async () => {
  const { upload, page } = start()
  const long = 'n'.repeat(101)
  const bodies = {
    empty: sent(''),
    'a boundary alone': sent('--b'),
    'without its end': sent('--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nz'),
    'no boundary of its own': sent('--c\r\nContent-Disposition: form-data; name="file"\r\n\r\nz\r\n--c--'),
    'a field without a name': sent('--b\r\nContent-Disposition: form-data\r\n\r\nz\r\n', END),
    'a file without a name': sent('--b\r\nContent-Disposition: form-data; filename="a"\r\n\r\nz\r\n', END),
    'too long a name': sent(field(long, 'z'), END),
    'not multipart': new Request(UPLOAD_URL, { method: 'POST', body: 'no form' }),
    'no boundary': new Request(UPLOAD_URL, {
      method: 'POST',
      body: 'x',
      headers: { 'Content-Type': 'multipart/form-data' },
    }),
    'no body': new Request(UPLOAD_URL, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    }),
  }
  for (const [what, request] of Object.entries(bodies)) {
    const [one, other] = [request.clone(), request]
    expect(await upload(one), what).toMatchObject({ ok: false, reason: 'upload-failed' })
    expect(await page(other), what).toMatchObject({ ok: false })
  }
})

test('parts, files, fields and all text together have their limits', async () => {
  const { upload, page } = start()
  const fields = (count: number, content = 'x') => Array.from({ length: count }, (_, n) => field(`f${n}`, content))
  const files = (count: number) => Array.from({ length: count }, () => file('x'))
  expect(await upload(sent(...fields(20), END))).toMatchObject({ ok: true })
  expect(await upload(sent(...fields(21), END))).toMatchObject({ ok: false, reason: 'upload-failed' })
  expect(await upload(sent(...files(5), END))).toMatchObject({ ok: false, reason: 'upload-failed' })
  expect(await upload(sent(field('caption', 'x'.repeat(64 * 1024)), END))).toMatchObject({ ok: true })
  expect(await upload(sent(field('caption', 'x'.repeat(64 * 1024 + 1)), END))).toMatchObject({
    ok: false,
    reason: 'too-large',
  })
  expect(await upload(sent(...fields(5, 'x'.repeat(60_000)), END))).toMatchObject({ ok: false, reason: 'too-large' })
  expect(await page(sent(...fields(1000), END))).toMatchObject({ ok: true })
  expect(await page(sent(...fields(1001), END))).toMatchObject({ ok: false, reason: 'upload-failed' })
  expect(await page(sent(...files(41), END), { file: 'photo' })).toMatchObject({ ok: false, reason: 'upload-failed' })
  const plain = (pairs: number, content = 'x') =>
    new Request(UPLOAD_URL, { method: 'POST', body: new URLSearchParams(Array(pairs).fill(['f', content])) })
  expect(fieldsOf(await page(plain(1000)))).toHaveLength(1000)
  expect(await page(plain(1001))).toMatchObject({ ok: false, reason: 'upload-failed' })
  expect(await page(plain(3, 'x'.repeat(100_000)))).toMatchObject({ ok: false, reason: 'too-large' })
})

test('a page keeps its fields when a file is refused, and passes over files it did not ask for', async () => {
  const { page, drafts } = start()
  const large = Buffer.concat([await jpeg(), randomBytes(16 * MIB)])
  const request = sent(file(large), field('name', 'Ann'), file('x', 'other'), file(HTML), file('small'), END)
  const form = await page(request, { file: 'photo' })
  if (!form.ok) throw new Error(form.reason)
  expect([...form.fields]).toEqual([['name', 'Ann']])
  expect([...form.files.keys()]).toEqual(['file'])
  expect(form.files.get('file')).toMatchObject([
    { reason: 'too-large' },
    { reason: 'unsupported' },
    { ok: true, size: 5 },
  ])
  expect(drafts()).toEqual([])
})

test('a page without files reads either encoding, and no other', async () => {
  const { page } = start()
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

test('invalid text and absurd headers do no harm', async () => {
  const { upload } = start()
  const invalid = await upload(sent(field('caption', Buffer.from([0x61, 0xff, 0xfe, 0xc3])), END))
  expect(fieldsOf(invalid)).toEqual([['caption', 'a\ufffd\ufffd\ufffd']])
  const heads = {
    'a long header': `X-Long: ${'x'.repeat(100_000)}\r\n`,
    'many headers': 'X-Many: x\r\n'.repeat(5000),
    'no colon': 'nonsense\r\n',
    'bytes that are no text': '\0\x7f\xff: \0\r\n',
    'another charset': 'Content-Type: text/plain; charset=utf-7\r\n',
    'a nested form': 'Content-Type: multipart/mixed; boundary=b\r\n',
  }
  for (const [what, head] of Object.entries(heads)) {
    const { ok } = await upload(sent(part({ name: 'caption', head, content: 'x' }), field('after', 'y'), END))
    expect(typeof ok, what).toBe('boolean')
  }
  const endless = streamed(Buffer.from('--b\r\nX-Endless: '), () => Buffer.alloc(4 * MIB, 'x'))
  expect(await upload(endless.request)).toMatchObject({ ok: false, reason: 'too-large' })
})

test('whatever a body holds, it is read or refused, and nothing of it is left', async () => {
  const { upload, page, drafts } = start()
  const picture = await jpeg(400, 300)
  const whole = Buffer.concat([field('purpose', 'photo'), file(picture), file(picture, 'still'), END])
  const cut = fc.nat(whole.length).map((at) => [whole.subarray(0, at)])
  const changed = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 8 }).map((changes) => {
    const copy = Buffer.from(whole)
    for (const [at, byte] of changes) copy[at] = byte
    return [copy]
  })
  const joined = fc.array(
    fc.oneof(
      fc.constantFrom(
        '--b',
        '\r\n',
        '--',
        'Content-Disposition: form-data; name="file"; filename="a"',
        '\r\n\r\n',
        ':',
      ),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    ),
    { maxLength: 30 },
  )
  await fc.assert(
    fc.asyncProperty(fc.oneof(cut, changed, joined), async (body) => {
      for (const read of [upload, page]) {
        const form = await read(sent(...body))
        expect(form.ok || ['upload-failed', 'too-large', 'unsupported'].includes(form.reason)).toBe(true)
        expect(drafts()).toEqual([])
      }
    }),
    { numRuns: 200 },
  )
})
