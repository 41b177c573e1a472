import { expect, test } from 'vitest'
import { limitedLooks, type UploadLimit } from '../../../services/media/file-looks.ts'
import { readPageForm } from '../../../services/media/form.ts'
import { HEAD_BYTES, type UploadError } from '../../../services/media/kinds.ts'
import { END, field, fieldsOf, file, formsInStore, sent, streamed } from '../support/forms.ts'
import { jpeg } from '../support/media.ts'

const PURPOSES = { file: 'photo' } as const
const HTML = '<!doctype html>'.repeat(300)
const UNSUPPORTED = { ok: false, reason: 'unsupported' } as const

/** Reads a page's form as whoever has this limit; `counted` are the files that counted. */
async function read(request: Request, wait: UploadError | null = null, onCount = () => {}) {
  const { withDrafts } = formsInStore()
  let counted = 0
  let asked = 0
  const uploads: UploadLimit = {
    async wait() {
      asked += 1
      return wait
    },
    async count() {
      counted += 1
      onCount()
    },
  }
  const form = await withDrafts((newDraft) => readPageForm(request, { purposes: PURPOSES, newDraft, uploads }))
  const files = form.ok ? (form.files.get('file') ?? []).map((one) => (one.ok ? 'kept' : one.reason)) : form
  return { form, files, counted, asked }
}

const photo = () => jpeg(400, 300)

test('after three files that are not taken a form’s others are not looked at, and what was typed is there', async () => {
  const picture = file(await photo())
  const refused = Array<Buffer>(3).fill(file(HTML))
  const request = sent(picture, ...refused, picture, ...Array<Buffer>(30).fill(file(HTML)), field('name', 'Ann'), END)
  const { form, files, counted, asked } = await read(request)
  expect(files).toEqual(['kept', ...Array(34).fill('unsupported')])
  expect(form.ok && fieldsOf(form)).toEqual([['name', 'Ann']])
  expect([counted, asked]).toEqual([3, 1])
})

test('a form with one or two files that are not taken keeps the others', async () => {
  const picture = file(await photo())
  const { files, counted } = await read(sent(file(HTML), picture, file(HTML), picture, END))
  expect([files, counted]).toEqual([['unsupported', 'kept', 'unsupported', 'kept'], 2])
})

test('files of whoever has sent as many as they may are not looked at, and count no more', async () => {
  const wait = { ok: false, reason: 'slow-down', retryInMs: 5_000 } as const
  const { form, files, counted } = await read(sent(file(await photo()), file(HTML), field('name', 'Ann'), END), wait)
  expect([files, counted, form.ok && fieldsOf(form)]).toEqual([['slow-down', 'slow-down'], 0, [['name', 'Ann']]])
  expect(form.ok && form.files.get('file')?.[0]).toMatchObject(wait)
})

test('a refused file counts though its form is cut off behind it', async () => {
  let end: () => void = () => undefined
  const isCounted = new Promise<null>((resolve) => {
    end = () => resolve(null)
  })
  const { request } = streamed(file(HTML), () => isCounted)
  const { files, counted } = await read(request, null, end)
  expect([files, counted]).toEqual([{ ok: false, reason: 'upload-failed' }, 1])
})

test('a file that is too large counts once, and a form without files asks nobody', async () => {
  const large = Buffer.concat([await photo(), Buffer.alloc(16 * 1024 * 1024)])
  expect(await read(sent(file(large), END))).toMatchObject({ files: ['too-large'], counted: 1 })
  expect(await read(sent(field('name', 'Ann'), END))).toMatchObject({ counted: 0, asked: 0 })
})

test('files are looked at one after another, though they come at once', async () => {
  let under = 0
  let most = 0
  const looks = limitedLooks({ wait: async () => null, count: async () => undefined })
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
