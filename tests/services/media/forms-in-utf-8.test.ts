import { expect, test } from 'vitest'
import { escapesText } from '../../../services/media/utf-8.ts'
import { END, field, fieldsOf, formsInStore, part, sent, UPLOAD_URL } from '../support/forms.ts'
import { jpeg } from '../support/pictures.ts'

const LATIN_E = Buffer.from([0xe9])
const NO_TEXT = Buffer.from([0x61, 0xff, 0xfe, 0xc3])
const UTF_8 = 'Content-Type: text/plain; charset=utf-8\r\n'
const failed = { ok: false, reason: 'upload-failed' }

/** A part with this head, byte for byte. */
const headed = (head: Buffer, content = 'x') =>
  Buffer.concat([Buffer.from('--b\r\nContent-Disposition: form-data; '), head, Buffer.from(`\r\n\r\n${content}\r\n`)])
const latin = (text: string) => Buffer.from(text, 'latin1')

test.each([
  ['a value', field('caption', NO_TEXT)],
  ['a value cut within a character', field('caption', Buffer.from('é').subarray(0, 1))],
  ['half a character of UTF-16', field('caption', Buffer.from([0xed, 0xa0, 0x80]))],
  ['a value that calls itself UTF-8', part({ name: 'caption', head: UTF_8, content: NO_TEXT })],
  [
    'a value that calls itself Latin-1',
    part({ name: 'caption', head: UTF_8.replace('utf-8', 'latin1'), content: LATIN_E }),
  ],
  ['the name of a field', headed(latin('name="caf\xe9"'))],
  ['an encoded name of a field', headed(latin("name*=utf-8''caf%e9"))],
  ['the name of a file’s field', headed(latin('name="caf\xe9"; filename="a"'))],
])('a form of parts with %s that is no UTF-8 is refused', async (_what, bytes) => {
  const { upload, page, drafts } = formsInStore()
  expect(await upload(sent(field('purpose', 'photo'), bytes, END))).toEqual(failed)
  expect(await page(sent(field('city', 'Porto'), bytes, END))).toEqual(failed)
  expect(drafts()).toEqual([])
})

test('what is UTF-8 comes as it was sent, also the sign for what was none', async () => {
  const { upload, page } = formsInStore()
  for (const value of ['é🙂', '\ufffd', '\ufefftea', 'Ã©']) {
    const own = part({ name: 'own', head: UTF_8, content: value })
    for (const read of [upload, page])
      expect(fieldsOf(await read(sent(field('caption', value), own, END)))).toEqual([
        ['caption', value],
        ['own', value],
      ])
  }
})

test('what a file is called refuses none', async () => {
  const { upload } = formsInStore()
  const picture = await jpeg()
  const head = Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="')
  const file = Buffer.concat([head, latin('caf\xe9.jpg'), Buffer.from('"\r\n\r\n'), picture, Buffer.from('\r\n')])
  const form = await upload(sent(field('purpose', 'photo'), file, END))
  expect(form.ok && form.files.get('file')?.map(({ ok }) => ok)).toEqual([true])
})

const plain = (body: string | Buffer) => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  return new Request(UPLOAD_URL, { method: 'POST', headers, body: new Uint8Array(Buffer.from(body)) })
}

test.each([
  ['a byte', latin('bio=caf\xe9')],
  ['an escape', 'bio=caf%e9'],
  ['an escape at the end of a field', 'bio=caf%C3&city=%A9'],
  ['an escape and a byte', latin('bio=caf%C3\xa9')],
  ['half a character of UTF-16', 'bio=%ED%A0%80'],
  ['too long a form of a character', 'bio=%C0%AF'],
  ['a name', 'caf%E9=1'],
])('a plain form with %s that is no UTF-8 is refused', async (_what, body) => {
  expect(await formsInStore().page(plain(body))).toEqual(failed)
})

test('a plain form of UTF-8 comes as it was sent, with per cent signs that escape nothing', async () => {
  const { page } = formsInStore()
  const fields = await page(plain('bio=caf%C3%A9+é&city=100%&tag=%zz%EF%BF%BD&caf%C3%A9=%F0%9F%99%82'))
  expect(fieldsOf(fields)).toEqual([
    ['bio', 'café é'],
    ['city', '100%'],
    ['tag', '%zz\ufffd'],
    ['café', '🙂'],
  ])
})

test('per cent signs that begin no escape cost no more than the form itself', () => {
  const form = '%'.repeat(256 * 1024)
  const fewestMs = (work: (form: string) => unknown) =>
    Math.min(
      ...Array.from({ length: 10 }, () => {
        const began = performance.now()
        work(form)
        return performance.now() - began
      }),
    )
  expect(fewestMs(escapesText)).toBeLessThan(4 * fewestMs((one) => new URLSearchParams(one)))
})
