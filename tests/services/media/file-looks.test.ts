import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { limitedLooks, type UploadLimit } from '../../../services/media/file-looks.ts'
import { readPageForm } from '../../../services/media/form.ts'
import { HEAD_BYTES, sniff } from '../../../services/media/kinds.ts'
import { END, FREELY, field, fieldsOf, file, formsInStore, sent, streamed, TINY } from '../support/forms.ts'
import { jpeg } from '../support/pictures.ts'

const PURPOSES = { file: 'photo' } as const
const HTML = '<!doctype html>'.repeat(300)
const WAIT = { ok: false, reason: 'slow-down', retryInMs: 5_000 } as const
const UNSUPPORTED = { ok: false, reason: 'unsupported' } as const

/** Reads a page's form as whoever may upload `left` files; `counted` are those that came, `back` those given back. */
async function read(request: Request, { left = 40, onTake = () => {}, room = true } = {}) {
  const { withDrafts, drafts } = formsInStore()
  const seen = { counted: 0, refused: 0, back: 0 }
  const uploads: UploadLimit = {
    async take() {
      if (seen.counted === left) {
        seen.refused += 1
        return WAIT
      }
      seen.counted += 1
      onTake()
      return null
    },
    async giveBack() {
      seen.back += 1
    },
  }
  const { form, written } = await withDrafts(async (make) => {
    const newDraft = async () => ({ ...(await make()), take: async () => room })
    const form = await readPageForm(request, { purposes: PURPOSES, newDraft, uploads })
    return { form, written: drafts().filter((bytes) => bytes > 0).length }
  })
  const files = form.ok ? (form.files.get('file') ?? []).map((one) => (one.ok ? 'kept' : one.reason)) : form
  return { form, files, written, ...seen }
}

const photo = () => jpeg(400, 300)

test('after three files that are not taken a form’s others are not looked at, and what was typed is there', async () => {
  const picture = file(await photo())
  const refused = Array<Buffer>(3).fill(file(HTML))
  const request = sent(picture, ...refused, picture, ...Array<Buffer>(30).fill(file(HTML)), field('name', 'Ann'), END)
  const { form, files, counted } = await read(request)
  expect(files).toEqual(['kept', ...Array(34).fill('unsupported')])
  expect(form.ok && fieldsOf(form)).toEqual([['name', 'Ann']])
  expect(counted).toBe(4)
})

test('a form with one or two files that are not taken keeps the others, and each counts', async () => {
  const picture = file(await photo())
  const { files, counted } = await read(sent(file(HTML), picture, file(HTML), picture, END))
  expect([files, counted]).toEqual([['unsupported', 'kept', 'unsupported', 'kept'], 4])
})

test('files of whoever has sent as many as they may are neither looked at nor written', async () => {
  const request = sent(file(await photo()), file(HTML), file(TINY), field('name', 'Ann'), END)
  const { form, files, refused, written } = await read(request, { left: 0 })
  const fields = form.ok && fieldsOf(form)
  expect([files, refused, written, fields]).toEqual([Array(3).fill('slow-down'), 1, 0, [['name', 'Ann']]])
  expect(form.ok && form.files.get('file')?.[0]).toMatchObject(WAIT)
})

test('of more files than their sender may upload the first are kept', async () => {
  const { files, counted, written } = await read(sent(...Array<Buffer>(5).fill(file(TINY)), END), { left: 2 })
  expect([files, counted, written]).toEqual([['kept', 'kept', 'slow-down', 'slow-down', 'slow-down'], 2, 2])
})

test('files that are smaller than a head are looked at as others are', async () => {
  const { files, counted, written } = await read(sent(file(TINY), ...Array<Buffer>(5).fill(file('x')), END))
  expect([files, counted, written]).toEqual([['kept', ...Array(5).fill('unsupported')], 4, 1])
})

test('a file counts though its form is cut off behind it', async () => {
  for (const content of [HTML, await photo()]) {
    let end: () => void = () => undefined
    const isCounted = new Promise<null>((resolve) => {
      end = () => resolve(null)
    })
    const { request } = streamed(file(content), () => isCounted)
    const { files, counted } = await read(request, { onTake: end })
    expect([files, counted]).toEqual([{ ok: false, reason: 'upload-failed' }, 1])
  }
})

test('a file that is too large counts once, and a form without files counts nothing', async () => {
  const large = Buffer.concat([await photo(), Buffer.alloc(16 * 1024 * 1024)])
  expect(await read(sent(file(large), END))).toMatchObject({ files: ['too-large'], counted: 1, back: 0 })
  expect(await read(sent(field('name', 'Ann'), file(''), END))).toMatchObject({ counted: 0 })
})

test('a file that there is no room for on its way does not count', async () => {
  const large = Buffer.concat([await photo(), Buffer.alloc(1024 * 1024)])
  const { files, counted, back } = await read(sent(file(large), file(TINY), END), { room: false })
  expect([files, counted, back]).toEqual([['busy', 'busy'], 2, 2])
})

test('files are looked at one after another, though they come at once', async () => {
  let under = 0
  let most = 0
  const looks = limitedLooks(FREELY)
  const look = async () => {
    most = Math.max(most, ++under)
    await Promise.resolve()
    under -= 1
    return UNSUPPORTED
  }
  const found = await Promise.all(Array.from({ length: 9 }, () => looks.at(look)))
  expect([most, found]).toEqual([1, Array(9).fill(UNSUPPORTED)])
})

/** By what follows its tag this is no MP3; the tag is longer than a head. */
function tagged(): Buffer {
  const bytes = Buffer.alloc(64 * 1024)
  bytes.write('ID3\x04\0\0', 0, 'latin1')
  bytes.set([0, 0, HEAD_BYTES >> 7, HEAD_BYTES & 127], 6)
  bytes.write('fLaC', 10 + HEAD_BYTES, 'latin1')
  return bytes
}

test('a file is recognised by its first 4,100 bytes, however large the first piece of it is', async () => {
  const { upload } = formsInStore()
  const kept = async (bytes: Buffer) => {
    const form = await upload(sent(file(bytes), END), { purpose: 'voice' })
    return form.ok && form.files.get('file')?.map(({ ok }) => ok)
  }
  expect(await kept(tagged().subarray(0, HEAD_BYTES))).toEqual([true])
  expect(await kept(tagged())).toEqual([true])
})

/** A picture behind so many tags, each of which is to be looked past. */
const behind = (tags: number, tag: Buffer) => Buffer.concat([...Array<Buffer>(tags).fill(tag), TINY])

test.each([
  ['of a song', Buffer.from('ID3\x03\0\0\0\0\0\x02..', 'latin1')],
  ['of a text’s encoding', Buffer.from([0xef, 0xbb, 0xbf])],
])('a file is recognised behind four tags %s, and no further', async (_what, tag) => {
  expect(await sniff(behind(4, tag))).toMatchObject({ mime: 'image/jpeg' })
  expect(await sniff(behind(5, tag))).toBeNull()
  expect(await sniff(Buffer.concat([behind(5, tag), Buffer.alloc(HEAD_BYTES)]))).toBeNull()
})

/** A file of a zip archive whose end is wherever its reader finds it. */
function archived(bytes: number): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(8, 6)
  head.writeUInt16LE(1, 26)
  return Buffer.concat([head, Buffer.from('a'), Buffer.alloc(bytes)])
}

test.each([
  ['a packed archive', gzipSync(archived(4_000_000)).subarray(0, HEAD_BYTES)],
  ['packed tags', gzipSync(Buffer.concat(Array<Buffer>(250).fill(Buffer.from('ID3\x03\0\0\0\0\x7f\x7f', 'latin1'))))],
  ['an archive', archived(4_000)],
])('%s is not opened to be recognised', async (_what, bytes) => {
  const begin = process.cpuUsage().user
  for (let times = 0; times < 20; times++) expect(await sniff(bytes)).toBeNull()
  expect((process.cpuUsage().user - begin) / 1_000).toBeLessThan(40)
})
