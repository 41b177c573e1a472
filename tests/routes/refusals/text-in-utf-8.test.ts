import { afterAll, beforeAll, expect, test } from 'vitest'
import { END, field, file } from '../../services/support/forms.ts'
import { jpeg } from '../../services/support/pictures.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let ann: Person
beforeAll(async () => {
  world = await startWorld()
  ann = await world.member('Ann')
}, 120_000)
afterAll(() => world?.stop())

const PLAIN = 'application/x-www-form-urlencoded'
const PARTS = 'multipart/form-data; boundary=b'
const NO_TEXT = Buffer.from([0x61, 0xff])
const parts = (...pieces: Buffer[]) => new Uint8Array(Buffer.concat([...pieces, END]))

test('an upload with a field that is no UTF-8 is refused, and nothing of it is kept', async () => {
  const uploads = await world.context.media.list({ member: ann.id })
  for (const path of ['/upload-media', '/upload-media-file']) {
    const answer = await fetch(`${world.url}/api${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ann.token}`, 'Content-Type': PARTS },
      body: parts(field('purpose', 'photo'), file(await jpeg()), field('caption', NO_TEXT)),
    })
    expect([answer.status, await answer.json()]).toEqual([400, { ok: false, error: 'Upload failed.' }])
  }
  expect(await world.context.media.list({ member: ann.id })).toEqual(uploads)
})

test.each([
  ['escapes', PLAIN, 'section=about&bio=caf%e9&city=Tea+at+five'],
  ['bytes', PLAIN, new Uint8Array(Buffer.from('section=about&bio=caf\xe9&city=Tea at five', 'latin1'))],
  ['parts', PARTS, parts(field('section', 'about'), field('bio', NO_TEXT), field('city', 'Tea at five'))],
])('a page’s form with %s that are no UTF-8 saves nothing and gives back what was typed', async (_what, type, body) => {
  const before = await world.core.log.read(`profile-${ann.id}`)
  const headers = { 'Content-Type': type, Accept: 'text/html' }
  const answer = await world.page('/profile/edit', { as: ann, method: 'POST', headers, body })
  const html = await answer.text()
  expect([answer.status, html.includes('Tea at five'), html.includes('Back to the form')]).toEqual([400, true, true])
  expect(await world.core.log.read(`profile-${ann.id}`)).toEqual(before)
  const data = await world.page('/profile/edit.data', { as: ann, method: 'POST', headers, body })
  expect([data.status, await world.core.log.read(`profile-${ann.id}`)]).toEqual([400, before])
})
