import { expect, test } from 'vitest'
import { z } from 'zod'
import { numeric } from '../../../app/api/fields.ts'
import { pathOf } from '../../../server/http/entry/path-of.ts'
import { readPageForm } from '../../../services/media/form.ts'
import { FREELY } from '../../services/support/forms.ts'

test('a path is as long as any page needs, however it is written', () => {
  expect(pathOf(`/chat/${'a'.repeat(900)}`)).toHaveLength(906)
  for (const path of [`/api/${'/'.repeat(1_100)}x`, `/api/${'a'.repeat(1_100)}`, `/a//${'.//'.repeat(1_100)}x`])
    expect(pathOf(path)).toBeNull()
})

// Each of these takes minutes where it takes the square of its length.
test('a content type full of blanks is refused', async () => {
  const headers = { 'Content-Type': `multipart/form-data; boundary=a${' '.repeat(400_000)}x` }
  const request = new Request('http://localhost/login', { method: 'POST', body: '--a--', headers })
  const newDraft = (() => Promise.reject(new Error('no file comes'))) as never
  const read = await readPageForm(request, { purposes: {}, newDraft, uploads: FREELY }).catch((error: unknown) => error)
  expect(read).not.toBeInstanceOf(FormData)
})

test('a number of very many digits is refused', () => {
  expect(numeric(z.number()).safeParse(`${'1'.repeat(400_000)}x`).success).toBe(false)
  for (const text of ['5', '-5.25', '+.5', '7.']) expect(numeric(z.number()).parse(text)).toBe(Number(text))
})
