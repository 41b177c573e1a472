import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createCarriedForms } from '../../app/request/carried.server.ts'
import { minutes } from '../../domain/shared/dates.ts'
import { createBox } from '../../services/secrets.ts'

const [ANN, BEA] = ['annannannannannannannann', 'beabeabeabeabeabeabeabea']
const REPORT = '/report/x'
const FIELDS = [['words', 'She asked for money']] as const

const key = randomBytes(32)
let time = new Date('2026-06-01T12:00:00Z')
const forms = createCarriedForms(createBox(key, 'carried-forms'), () => time)

/** The request of a browser that stored these cookies. */
const bringing = (cookies: readonly string[]) =>
  new Request('http://localhost/report/x', {
    headers: { Cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') },
  })
const carried = async () => (await forms.carry({ member: ANN, path: REPORT, fields: FIELDS })) ?? []

test('a form comes back to its member on its page, and is of no more use then', async () => {
  const request = bringing(await carried())
  expect(await forms.bring(request, ANN, REPORT)).toEqual({ brought: { path: REPORT, fields: FIELDS }, over: true })
})

test('another page of the same member leaves it for the one that it is for', async () => {
  expect(await forms.bring(bringing(await carried()), ANN, '/chat')).toEqual({ brought: null, over: false })
})

test('nobody else opens it, nor does who has another secret, and it is over', async () => {
  const request = bringing(await carried())
  const others = createCarriedForms(createBox(randomBytes(32), 'carried-forms'), () => time)
  const nothing = { brought: null, over: true }
  expect(await forms.bring(request, BEA, REPORT)).toEqual(nothing)
  expect(await others.bring(request, ANN, REPORT)).toEqual(nothing)
})

test('one that was changed on its way is not opened', async () => {
  const [first = ''] = await carried()
  const at = first.indexOf('=') + 40
  const changed = first.slice(0, at) + (first[at] === 'A' ? 'B' : 'A') + first.slice(at + 1)
  expect(await forms.bring(bringing([changed]), ANN, REPORT)).toEqual({ brought: null, over: true })
})

test('after a quarter of an hour it is over', async () => {
  const request = bringing(await carried())
  time = new Date(time.getTime() + minutes(15) + 1)
  expect(await forms.bring(request, ANN, REPORT)).toEqual({ brought: null, over: true })
})

test('its cookies are of this host, out of reach of scripts, and what was typed is not to be read in them', async () => {
  for (const cookie of (await carried()).filter((one) => !one.includes('Max-Age=0')))
    expect(cookie).toMatch(/^__Host-typed\d=[\w-]+; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  expect(Buffer.from((await carried()).join(), 'base64url').toString()).not.toContain('money')
})

test('one that is too large for two cookies is not carried', async () => {
  const fields = [['words', randomBytes(8_000).toString('hex')]] as const
  expect(await forms.carry({ member: ANN, path: REPORT, fields })).toBeNull()
})
