import fc from 'fast-check'
import { expect, test } from 'vitest'
import { failed } from '../../services/media/kinds.ts'
import { readParts } from '../../services/media/multipart.ts'
import { END, field, fieldsOf, file, formsInStore, part, sent, streamed, UPLOAD_URL } from './support/forms.ts'
import { jpeg } from './support/pictures.ts'

const MIB = 1024 * 1024

test('a broken form is refused', async () => {
  const { upload, page } = formsInStore()
  const long = 'n'.repeat(101)
  const bodies = () => ({
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
    'a long boundary in other clothes': new Request(UPLOAD_URL, {
      method: 'POST',
      body: `--${'b'.repeat(71)}--\r\n`,
      headers: { 'Content-Type': `multipart/form-data; boundary= ${'b'.repeat(71)}` },
    }),
    'too long a boundary': new Request(UPLOAD_URL, {
      method: 'POST',
      body: `--${'b'.repeat(71)}--\r\n`,
      headers: { 'Content-Type': `multipart/form-data; boundary=${'b'.repeat(71)}` },
    }),
    'no body': new Request(UPLOAD_URL, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    }),
  })
  for (const [what, request] of Object.entries(bodies()))
    expect(await upload(request), what).toMatchObject({ ok: false, reason: 'upload-failed' })
  for (const [what, request] of Object.entries(bodies())) expect(await page(request), what).toMatchObject({ ok: false })
})

test('parts, files, fields and all text together have their limits', async () => {
  const { upload, page } = formsInStore()
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
  expect(fieldsOf(await page(sent(...fields(200), END)))).toHaveLength(200)
  expect(await page(sent(...fields(201), END))).toMatchObject({ ok: false, reason: 'upload-failed' })
  expect(await page(sent(...fields(200), ...files(40), END), { file: 'photo' })).toMatchObject({ ok: true })
  expect(await page(sent(...fields(241), END), { file: 'photo' })).toMatchObject({ ok: false, reason: 'upload-failed' })
  expect(await page(sent(...files(41), END), { file: 'photo' })).toMatchObject({ ok: false, reason: 'upload-failed' })
  const plain = (pairs: number, content = 'x') =>
    new Request(UPLOAD_URL, { method: 'POST', body: new URLSearchParams(Array(pairs).fill(['f', content])) })
  expect(fieldsOf(await page(plain(200)))).toHaveLength(200)
  expect(await page(plain(201))).toMatchObject({ ok: false, reason: 'upload-failed' })
  expect(await page(plain(3, 'x'.repeat(100_000)))).toMatchObject({ ok: false, reason: 'too-large' })
})

test('what a part calls its type costs no more than its bytes, however many spaces and types it has', async () => {
  const { page } = formsInStore()
  const type = `Content-Type: text/plain\r\nContent-Type: x${' '.repeat(7_800)}y\r\n`
  const named = part({ name: 'f', head: type, content: 'x' })
  const begin = process.cpuUsage().user
  expect(fieldsOf(await page(sent(...Array<Buffer>(100).fill(named), END)))).toHaveLength(100)
  expect((process.cpuUsage().user - begin) / 1_000).toBeLessThan(1_000)
})

test('of what comes with a part that ends the reading at most one more is looked at', async () => {
  const caps = { parts: 1000, files: 1, fieldBytes: 9, textBytes: 999, bytes: 99_999, idleMs: 9_999 }
  const body = [...Array<Buffer>(3).fill(field('name', 'x')), ...Array<Buffer>(500).fill(field('bad', 'x')), END]
  const seen: string[] = []
  const refusal = await readParts(sent(...body), caps, {
    field(name) {
      seen.push(name)
      return name === 'bad' ? failed : null
    },
    file: async () => null,
  })
  expect([refusal, seen.slice(0, 4)]).toEqual([failed, ['name', 'name', 'name', 'bad']])
  expect(seen.length).toBeLessThan(6)
})

test('too much text of a page’s form is given back up to what is read, and of an upload’s never', async () => {
  const { upload, page } = formsInStore()
  const plain = (bytes: number) =>
    new Request(UPLOAD_URL, { method: 'POST', body: new URLSearchParams({ bio: 'x'.repeat(bytes) }) })
  const typedIn = async (request: Request) => {
    const form = await page(request)
    return 'typed' in form ? [...form.typed].map(([name, value]) => [name, String(value).length]) : form
  }
  const tooLarge = { ok: false, reason: 'too-large' }
  expect(await page(plain(200_000))).toMatchObject({ ok: true })
  expect(await typedIn(plain(300_000))).toEqual([['bio', 300_000]])
  expect(await typedIn(plain(MIB))).toEqual(tooLarge)
  const long = () => sent(field('bio', 'x'.repeat(70_000)), field('city', 'Porto'), END)
  expect(await typedIn(long())).toEqual([
    ['bio', 70_000],
    ['city', 5],
  ])
  const five = ['a', 'b', 'c', 'd', 'e'].map((name) => field(name, 'x'.repeat(60_000)))
  expect(await typedIn(sent(...five, END))).toHaveLength(5)
  expect(await typedIn(sent(field('bio', 'x'.repeat(MIB + 1)), END))).toEqual(tooLarge)
  expect(await upload(long())).toEqual(tooLarge)
})

test('absurd headers do no harm', async () => {
  const { upload } = formsInStore()
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

test('a large part that names nothing does not keep the reader waiting for good', async () => {
  const { upload, page } = formsInStore()
  const nameless = Buffer.concat([Buffer.from('--b\r\nX: y\r\n\r\n'), Buffer.alloc(100_000, 'z'), Buffer.from('\r\n')])
  const body = [field('purpose', 'photo'), nameless, END]
  expect(await upload(sent(...body), { idleMs: 100 })).toMatchObject({ ok: false, reason: 'upload-failed' })
  expect(await page(sent(...body), {}, 100)).toMatchObject({ ok: false, reason: 'upload-failed' })
})

test('whatever a body holds, it is read or refused, and nothing of it is left', async () => {
  const { upload, page, drafts } = formsInStore()
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
      for (const form of [await upload(sent(...body), { idleMs: 500 }), await page(sent(...body), {}, 500)]) {
        expect(form.ok || ['upload-failed', 'too-large', 'unsupported'].includes(form.reason)).toBe(true)
        expect(drafts()).toEqual([])
      }
    }),
    { numRuns: 200 },
  )
})
