import { afterAll, beforeAll, expect, test } from 'vitest'
import { RATES } from '../../../services/limits/rates.ts'
import { END, field, file } from '../../services/support/forms.ts'
import { jpeg } from '../../services/support/pictures.ts'
import { newcomer } from '../../support/newcomers.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ rateLimits: true })
}, 120_000)
afterAll(() => world?.stop())

const [{ points: FORTY }] = RATES.UPLOAD.windows
const HTML = '<!doctype html>'.repeat(300)
const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=b' }
const bodyOf = (parts: readonly Buffer[]) => new Uint8Array(Buffer.concat([...parts, END]))

/** Somebody who sends forms of a page, with as few uploads left. */
async function senders(left: number) {
  const ann = await world.member('Ann')
  const { signupToken, proof } = await newcomer(world)
  const all = [
    { who: ann.id, path: '/profile/gallery', name: 'file', cookie: ann.cookie, token: ann.token },
    { who: ann.id, path: '/profile/edit', name: 'voice', cookie: ann.cookie, token: ann.token },
    {
      who: proof,
      path: '/register.data?step=4',
      name: 'file',
      cookie: `__Host-signup=${signupToken}`,
      token: signupToken,
    },
  ]
  return all.map(({ who, path, name, cookie, token }) => ({
    path,
    begin: async () => {
      await world.services.limits.reset('UPLOAD', who)
      await world.services.limits.take('UPLOAD', who, FORTY - left)
    },
    isOver: async () => !(await world.services.limits.peek('UPLOAD', who)).ok,
    send: (content: string | Buffer, files: number, ...fields: Buffer[]) => {
      const parts = [...Array<Buffer>(files).fill(file(content, name)), ...fields]
      return world.page(path, { method: 'POST', headers: { ...MULTIPART, Cookie: cookie }, body: bodyOf(parts) })
    },
    call: async () => {
      const headers = { ...MULTIPART, Authorization: `Bearer ${token}` }
      return world.api('/upload-media', { method: 'POST', headers, body: bodyOf([file(await jpeg())]) })
    },
  }))
}

test('files that a form does not get taken count as uploads, whatever the form is for, three of each form', async () => {
  for (const { path, begin, isOver, send, call } of await senders(6)) {
    await begin()
    const first = await send(HTML, 39, field('typed', 'kept'))
    expect([path, first.status === 429, await isOver()]).toEqual([path, false, false])
    await send(HTML, 39)
    expect([path, await isOver(), (await call()).status]).toEqual([path, true, 429])
  }
})

test('files of a form that comes to nothing count as uploads', async () => {
  const photo = await jpeg(300, 200)
  for (const { path, begin, isOver, send, call } of (await senders(6)).slice(0, 2)) {
    await begin()
    await send(photo, 5, field('intent', 'nothing'))
    expect([path, await isOver()]).toEqual([path, false])
    const sent = send(photo, 5, field('intent', 'nothing'))
    expect([path, (await sent).status === 429, await isOver(), (await call()).status]).toEqual([path, false, true, 429])
  }
})

test('a picture that a page takes counts once, whoever sends it', async () => {
  const [gallery, , register] = await senders(2)
  for (const { path, begin, isOver, send } of [gallery!, register!]) {
    await begin()
    const fields = [field('intent', 'upload'), field('go', 'upload')]
    const add = async () => (await send(await jpeg(300, 200), 1, ...fields)).status
    expect([path, await add(), await isOver()]).toEqual([path, path.includes('.data') ? 202 : 302, false])
    expect([path, await add(), await isOver()]).toEqual([path, path.includes('.data') ? 202 : 302, true])
  }
})

test('whoever has no upload left is answered so on the page, whatever the file is', async () => {
  const [gallery, , register] = await senders(0)
  for (const sender of [gallery, register]) {
    await sender!.begin()
    for (const content of [HTML, await jpeg(300, 200)]) {
      const answer = await sender!.send(content, 1, field('intent', 'upload'), field('go', 'upload'))
      expect([sender!.path, await answer.text()]).toEqual([sender!.path, expect.stringContaining('Too many requests')])
    }
  }
})
