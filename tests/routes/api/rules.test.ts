import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jpeg } from '../../services/support/pictures.ts'
import { newcomer } from '../../support/newcomers.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { apiCalls } from './calls.ts'

let world: World
let ann: Person
let bea: Person
beforeAll(async () => {
  world = await startWorld()
  ann = await world.member('Ann')
  bea = await world.member('Bea')
}, 120_000)
afterAll(() => world?.stop())

const call = apiCalls(() => world)

test('a method that a path does not have is refused with those it has', async () => {
  for (const [method, path, allow] of [
    ['PUT', '/likes', 'OPTIONS, POST'],
    ['DELETE', '/users/me', 'GET, HEAD, OPTIONS, PUT'],
    ['PATCH', `/blocks/${bea.id}`, 'DELETE, OPTIONS, POST'],
  ] as const) {
    const answer = await call(path, { as: ann, method })
    expect([answer.status, answer.json]).toEqual([405, { error: 'Method not allowed' }])
    const allowed = answer.headers.get('Allow')?.split(', ').sort()
    expect(allowed).toEqual(allow.split(', ').sort())
    const asked = await world.api(path, { method: 'OPTIONS' })
    expect([asked.status, asked.headers.get('Allow')]).toEqual([204, answer.headers.get('Allow')])
  }
  expect((await world.api('/nothing', { method: 'OPTIONS' })).status).toBe(404)
})

test('a path outside of the calls says what it takes', async () => {
  for (const [path, allow] of [
    ['/discover', 'GET, HEAD, POST, OPTIONS'],
    ['/media/any', 'GET, HEAD, OPTIONS'],
  ] as const) {
    const asked = await world.page(path, { method: 'OPTIONS' })
    expect([asked.status, asked.headers.get('Allow')]).toEqual([204, allow])
  }
})

test('the name of the scheme is written in any case', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const answer = await world.api('/users/me', { headers: { Authorization: `${scheme} ${ann.token}` } })
    expect([scheme, answer.status]).toEqual([scheme, 200])
  }
  const other = await world.api('/users/me', { headers: { Authorization: `Basic ${ann.token}` } })
  expect(other.status).toBe(401)
})

test('what is wrong with a field is said in a sentence', async () => {
  const wrong = { name: { firstName: 7 }, more: { visibility: 'gone', height: 'tall', interests: 'Music' } }
  const fieldsOf = async (path: string, method: string, body: unknown) =>
    (await call(path, { as: ann, method, body })).json.fields
  expect(await fieldsOf('/likes', 'POST', {})).toEqual({ to: 'This is missing.' })
  expect(await fieldsOf('/likes', 'POST', { to: 'x' })).toEqual({ to: 'This is not of the right form.' })
  expect(await fieldsOf('/users/me', 'PUT', wrong.name)).toEqual({ firstName: 'Use text.' })
  expect(await fieldsOf('/users/me', 'PUT', wrong.more)).toEqual({
    visibility: 'Use one of these: active, invisible.',
    height: 'Use a number.',
    interests: 'Use a list.',
  })
})

test('unknown calls answer as data', async () => {
  const missing = [404, { error: 'Not found' }]
  for (const path of ['/nothing', '/users/me/too', '/likes/', '/auth']) {
    const { status, json } = await call(path, { as: ann, method: path === '/likes/' ? 'GET' : 'POST' })
    if (path === '/likes/') expect(status).toBe(405)
    else expect([status, json]).toEqual(missing)
  }
})

test('a body is JSON, of its type, and at most 64 KiB', async () => {
  const unsupported = { error: 'Unsupported file type' }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const answer = await call('/likes', { as: ann, body: { to: bea.id }, headers: { 'Content-Type': type } })
    expect([answer.status, answer.json]).toEqual([415, unsupported])
  }
  const long = await call('/report', { as: ann, body: { targetId: bea.id, reason: 'x'.repeat(70_000) } })
  expect([long.status, long.json]).toEqual([413, { error: 'File too large' }])
  for (const body of ['{', '', '[]', 'null', '"text"', '{"to":1}', '{"to":["a"]}', '{"to":{"$ne":1}}']) {
    const answer = await call('/likes', { as: ann, body, headers: { 'Content-Type': 'application/json' } })
    expect([body, answer.status, answer.json.error]).toEqual([body, 400, 'Invalid request.'])
  }
})

test('the caller is looked at before the body', async () => {
  const { status, json } = await call('/likes', { body: '{', headers: { 'Content-Type': 'text/plain' } })
  expect([status, json]).toEqual([401, { error: 'Login required' }])
})

test('a call is no page, whose data could be asked for', async () => {
  for (const path of ['/auth/me.data', '/auth/me.data?_routes=root', '/users/me.data', '/nothing.data']) {
    const { status, json } = await call(path, { as: ann, method: 'GET' })
    expect([path, status, json]).toEqual([path, 404, { error: 'Not found' }])
  }
})

test('cookies do not count', async () => {
  for (const path of ['/auth/me', '/auth/me.data', '/auth/me.data?_routes=root']) {
    const response = await fetch(`${world.url}/api${path}`, { headers: { Cookie: ann.cookie } })
    expect(await response.text()).not.toContain('Ann')
  }
  const { status } = await call('/likes', { body: { to: bea.id }, headers: { Cookie: ann.cookie } })
  expect(status).toBe(401)
})

test('a page elsewhere may not call', async () => {
  const { status, json } = await call('/likes', {
    as: ann,
    body: { to: bea.id },
    headers: { Origin: 'https://evil.example' },
  })
  expect([status, json]).toEqual([403, { error: 'Request refused' }])
})

test('a key makes a repeat get the first answer', async () => {
  const [cat, dan] = [await world.member('Cat'), await world.member('Dan')]
  const headers = { 'Idempotency-Key': randomUUID() }
  const like = () => call('/likes', { as: cat, body: { to: dan.id }, headers })
  expect(await like()).toMatchObject({ status: 200, json: { success: true, matched: false } })
  expect(await like()).toMatchObject({ status: 200, json: { success: true, matched: false } })
  const other = await call('/likes', { as: cat, body: { to: bea.id }, headers })
  expect(other.status).toBe(409)
  const another = await call('/likes', { as: dan, body: { to: cat.id }, headers })
  expect(another).toMatchObject({ status: 200, json: { matched: true } })
})

test('fifty repeats of a keyed write at once have one effect', async () => {
  const eve = await world.member('Eve')
  const headers = { 'Idempotency-Key': randomUUID() }
  const body = { targetId: bea.id, reason: 'Rude' }
  const answers = await Promise.all(Array.from({ length: 50 }, () => call('/report', { as: eve, body, headers })))
  const done = answers.filter(({ status }) => status === 200)
  expect(new Set(done.map(({ json }) => JSON.stringify(json))).size).toBe(1)
  expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
  const { json } = await call('/report', { as: eve, body, headers })
  expect(json).toEqual(done[0]?.json)
})

test('a notification is taken away once and quietly again, by its owner alone', async () => {
  const [gil, hua] = [await world.member('Gil'), await world.member('Hua')]
  await world.buzz(hua, gil)
  await world.settled()
  const { json } = await call('/notifications', { as: gil, method: 'GET' })
  const remove = async (as: Person) => {
    const { status } = await call(`/notifications/${json[0].id}`, { as, method: 'DELETE' })
    await world.settled()
    return status
  }
  expect([await remove(hua), await remove(gil), await remove(gil), await remove(hua)]).toEqual([404, 200, 200, 404])
  expect((await call('/notifications', { as: gil, method: 'GET' })).json).toEqual([])
})

test('a reason that is too long is distinguished from none', async () => {
  const sent = async (reason?: string) => (await call('/report', { as: ann, body: { targetId: bea.id, reason } })).json
  expect(await sent('x'.repeat(1001))).toEqual({
    error: 'Invalid request.',
    fields: { reason: 'Use at most 1000 characters.' },
  })
  for (const none of [undefined, '', ' \n ']) expect(await sent(none)).toEqual({ error: 'A reason is required.' })
})

test('an upload for a purpose that nobody has, or that is not for a visitor, is refused', async () => {
  const { signupToken } = await newcomer(world)
  const upload = async (token: string, purpose: string) => {
    const body = new FormData()
    body.set('purpose', purpose)
    body.set('file', new Blob([new Uint8Array(await jpeg())], { type: 'image/jpeg' }), 'a.jpg')
    const headers = { Authorization: `Bearer ${token}` }
    const answer = await fetch(`${world.url}/api/upload-media-file`, { method: 'POST', body, headers })
    return [answer.status, (await answer.json()).error]
  }
  expect(await upload(ann.token, 'chat')).toEqual([200, undefined])
  for (const purpose of ['nobody', '__proto__', 'Photo']) {
    expect(await upload(ann.token, purpose)).toEqual([400, 'Upload failed.'])
  }
  expect(await upload(signupToken, 'avatar')).toEqual([200, undefined])
  for (const purpose of ['chat', 'kyc-id', 'post']) {
    expect(await upload(signupToken, purpose)).toEqual([400, 'Upload failed.'])
  }
})

test('whoever a body says it is from, it is from the holder of the token', async () => {
  const [ida, jan, kim] = [await world.member('Ida'), await world.member('Jan'), await world.member('Kim')]
  await world.match(ida, jan)
  await world.settled()
  const spoofed = {
    from: kim.id,
    userId: kim.id,
    by: kim.id,
    member: kim.id,
    me: kim.id,
    actor: kim.id,
    author: kim.id,
    ownerId: kim.id,
    roomId: [kim.id, jan.id].sort().join('_'),
  }
  const send = async (path: string, body: object, method = 'POST') => {
    const answer = await call(path, { as: ida, method, body: { ...body, ...spoofed } })
    expect([path, answer.status]).toEqual([path, 200])
    return answer.json
  }
  const { message } = await send(`/chat/${jan.id}/messages`, { id: 'spoof-1', text: 'Hi' })
  expect([message.from, message.to, message.roomId]).toEqual([ida.id, jan.id, [ida.id, jan.id].sort().join('_')])
  await send('/users/me', { bio: 'Mine' }, 'PUT')
  await send('/report', { targetId: jan.id, reason: 'Rude' })
  await send('/block', { targetId: jan.id })
  await world.settled()
  for (const stream of [`pair-${[kim.id, jan.id].sort().join('_')}`, `report-${kim.id}_${jan.id}`])
    expect(await world.core.log.read(stream), stream).toEqual([])
  expect((await call('/users/me', { as: kim, method: 'GET' })).json.bio).toBe('')
  expect((await call('/blocks', { as: kim, method: 'GET' })).json).toEqual({ blocks: [] })
})

test('an answer that is kept cannot be read in the database', async () => {
  const headers = { 'Idempotency-Key': 'secret-words' }
  await call('/users/me', { as: ann, method: 'PUT', body: { bio: 'Unmistakable bio' }, headers })
  const rows = await world.core.storage.app.selectFrom('idempotent_answer').selectAll().execute()
  expect(rows.some((row) => row.sealed !== null)).toBe(true)
  const stored = JSON.stringify(rows.map(({ sealed, ...row }) => ({ ...row, sealed: sealed?.toString('latin1') })))
  for (const word of ['Unmistakable', ann.email, 'secret-words']) expect(stored).not.toContain(word)
})

test('a write says where the log stands, and the next reading shows it', async () => {
  const answer = await call('/users/me', { as: ann, method: 'PUT', body: { city: 'Graz' } })
  const position = answer.headers.get('X-Log-Position')
  expect(position).toMatch(/^[0-9a-z-]+$/)
  expect(answer.json.user.city).toBe('Graz')
  const headers = { 'X-Log-Position': position as string }
  expect((await call('/users/me', { as: ann, method: 'GET', headers })).json.city).toBe('Graz')
})

test('who gets an answer only by a repeat learns where the log stands too, also when nothing had to be written', async () => {
  const [ida, jon] = [await world.member('Ida'), await world.member('Jon')]
  const block = (headers: Record<string, string>) => call('/block', { as: ida, body: { targetId: jon.id }, headers })
  await block({ 'Idempotency-Key': randomUUID() })
  const again = { 'Idempotency-Key': randomUUID() }
  for (const answer of [await block(again), await block(again)]) {
    expect(answer.status).toBe(200)
    expect(answer.headers.get('X-Log-Position')).toBe(await world.core.log.head())
  }
})

test('limits say how long to wait, in the header too', async () => {
  const strict = await startWorld({ rateLimits: true })
  try {
    const person = await strict.member('Flo')
    const asked = Array.from({ length: 35 }, () => strict.api('/discover', { as: person }))
    const refused = (await Promise.all(asked)).filter(({ status }) => status === 429)
    expect(refused).toHaveLength(5)
    const body = await refused[0]!.json()
    expect(body).toEqual({ error: 'Too many requests. Please try again later.', retryInMs: expect.any(Number) })
    expect(Number(refused[0]!.headers.get('Retry-After'))).toBe(Math.ceil(body.retryInMs / 1000))
    const write = (n: number) =>
      strict.api(`/chat/${bea.id}/messages`, {
        as: person,
        method: 'POST',
        body: JSON.stringify({ id: `m-${n}`, text: 'Hi' }),
      })
    const written = await Promise.all(Array.from({ length: 11 }, (_, n) => write(n)))
    expect(await written.find(({ status }) => status === 429)?.json()).toMatchObject({ error: body.error })
  } finally {
    await strict.stop()
  }
})
