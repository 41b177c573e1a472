import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 120_000)
afterAll(() => world?.stop())

async function call(path: string, body: object | FormData, token?: string) {
  const isForm = body instanceof FormData
  const headers = {
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(!isForm && { 'Content-Type': 'application/json' }),
  }
  const init = { method: 'POST', headers, body: isForm ? body : JSON.stringify(body) }
  const response = await fetch(`${world.url}/api${path}`, init)
  return { status: response.status, json: await response.json(), cookie: response.headers.get('Set-Cookie') }
}

async function picture(background: string): Promise<FormData> {
  const bytes = await sharp({ create: { width: 200, height: 260, channels: 3, background } })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'me.jpg')
  return form
}

test('a newcomer signs up by calls alone: code, proof, photos, account', async () => {
  const email = 'newcomer@example.com'
  const sent = await call('/auth/send-code', { email })
  expect(sent.json).toEqual({ success: true, message: 'Verification code sent to your email.' })
  const code = /^\d{6}$/m.exec((await world.mail(email))?.text ?? '')?.[0]
  const proof = await call('/auth/verify-code', { email, code })
  expect(proof).toMatchObject({ status: 200, json: { success: true } })
  expect(proof.cookie).toMatch(/^__Host-signup=[\w-]{43}; .*HttpOnly/)
  const { signupToken } = proof.json

  const photos: string[] = []
  for (const colour of ['#c96', '#69c']) {
    const uploaded = await call('/upload-media', await picture(colour), signupToken)
    expect(Object.keys(uploaded.json).sort()).toEqual(['id', 'ok', 'secure_url', 'url'])
    photos.push(uploaded.json.url)
  }
  const payload = {
    signupToken,
    email: ' Newcomer@example.com',
    firstName: 'New',
    lastName: 'Comer',
    gender: 'Other',
    password: 'violet-otter-43-lamp',
    dob: '1996-02-29',
    lookingFor: 'friends',
    interestedIn: ['other'],
    interests: ['Music'],
    photos,
    phone: '',
    voiceUrl: '',
    verified: true,
  }
  const short = await call('/auth/register-full', { ...payload, photos: photos.slice(1) })
  expect(short).toMatchObject({ status: 400, json: { error: 'Please complete all required sections.' } })
  const young = await call('/auth/register-full', { ...payload, dob: '2001-02-30' })
  expect(young.json.error).toBe('Invalid date of birth. Please provide a valid date (18+).')

  for (const other of ['somebody.else@example.com', 'nobody', 7]) {
    const answer = await call('/auth/register-full', { ...payload, email: other })
    const error = expect.stringMatching('address that you confirmed')
    expect([answer.status, answer.json]).toEqual([400, { error, fields: { email: error } }])
  }
  const noted = await call('/auth/register-full', { ...payload, acceptedTermsVersion: 'a note of my own' })
  expect(noted).toMatchObject({ status: 400, json: { fields: { acceptedTermsVersion: expect.any(String) } } })
  const made = await call('/auth/register-full', payload)
  expect(made).toMatchObject({
    status: 200,
    json: { user: { email, firstName: 'New', verified: false, status: 'active' } },
  })
  expect(made.json.user.avatar).toBe(photos[0])
  const again = await call('/auth/register-full', payload)
  expect([again.status, again.json]).toEqual([409, { error: 'Your account is ready. Please log in.' }])

  const me = await world.api('/auth/me', { headers: { Authorization: `Bearer ${made.json.token}` } })
  expect((await me.json()).user).toEqual(made.json.user)
  const out = await call('/auth/logout', {}, made.json.token)
  expect(out.json).toEqual({ success: true })
  const after = await world.api('/auth/me', { headers: { Authorization: `Bearer ${made.json.token}` } })
  expect(after.status).toBe(401)
})

test('an upload goes into the gallery once, and only by its owner', async () => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const { json } = await call('/upload-media-file', await picture('#333'), ann.token)
  const named = { fileUrl: json.secure_url, type: 'photo', caption: 'On the hill' }
  const foreign = await call('/upload-media', named, bea.token)
  expect([foreign.status, foreign.json]).toEqual([400, { ok: false, error: 'Invalid media' }])
  const wrongKind = await call('/upload-media', { ...named, type: 'video' }, ann.token)
  expect(wrongKind.status).toBe(400)
  for (let times = 0; times < 2; times++) expect((await call('/upload-media', named, ann.token)).json).toEqual(json)
  const { media } = await (await world.api('/users/me', { as: ann })).json()
  const mine = media.filter((item: { id: string }) => item.id === json.id)
  expect(mine).toMatchObject([{ caption: 'On the hill', type: 'image', privacy: 'public' }])
})

test('of answers that a newcomer sends at once none is refused and none is lost', async () => {
  const { proofs } = world.services
  const { token } = await proofs.issue({
    email: 'gil@example.com',
    emailKey: 'e'.repeat(64),
    googleKey: 'g'.repeat(64),
  })
  const sent = [
    { firstName: 'Gil' },
    { lastName: 'Ahn' },
    { interests: ['Music'] },
    { phone: '+14155550123' },
    { lookingFor: 'friends' },
    { interestedIn: ['other'] },
    { preferences: { ageRange: [20, 30], distanceMiles: 50 } },
    { gender: 'Other' },
  ]
  const headers = { Authorization: `Bearer ${token}` }
  const answers = await Promise.all(
    sent.map((body) => world.api('/users/me', { method: 'PUT', headers, body: JSON.stringify(body) })),
  )
  expect(answers.map(({ status }) => status)).toEqual(sent.map(() => 200))
  expect((await proofs.find(token))?.draft).toMatchObject({
    steps: {
      basics: { firstName: 'Gil', lastName: 'Ahn', gender: 'Other', lookingFor: 'friends', interestedIn: ['other'] },
      preferences: { ageMin: '20', ageMax: '30', distanceMiles: '50' },
      interests: { interests: ['Music'] },
      contact: { phone: '+14155550123' },
    },
  })
})
