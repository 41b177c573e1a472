import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { erasingOf } from '../../server/tools/erasure/erasing.ts'
import { eraseAccount } from '../../usecases/identity/erase-account.ts'
import { END, field, file } from '../services/support/forms.ts'
import { jpeg } from '../services/support/pictures.ts'
import { holdNode } from '../support/described/hold-node.ts'
import { until } from '../support/until.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

let world: World
let bea: Person
beforeAll(async () => {
  world = await startWorld()
  bea = await world.member('Bea')
}, 120_000)
afterAll(() => world?.stop())

const LAST_BYTES = 3
const MULTIPART = 'multipart/form-data; boundary=b'
const erasing = () => erasingOf({ ...world.product, now: () => new Date() }, 'admin:test')

/** `outside`: where the page leads who may not use it, if not to the login. */
type Sending = { path: string; type: string; body: () => Promise<Buffer> | Buffer; outside?: RegExp }
const json = (path: string, body: () => object): Sending => ({
  path,
  type: 'application/json',
  body: () => Buffer.from(JSON.stringify(body())),
})
const multipart = (path: string, ...parts: readonly (Buffer | Promise<Buffer>)[]): Sending => ({
  path,
  type: MULTIPART,
  body: async () => Buffer.concat([...(await Promise.all(parts)), END]),
})
const photo = async () => file(await jpeg())

const SENDINGS: Record<string, () => Sending> = {
  'a like': () => json('/api/likes', () => ({ to: bea.id })),
  'a position': () => json('/api/location', () => ({ lat: 59.91, lng: 10.75 })),
  'an upload by a call': () => multipart('/api/upload-media', photo()),
  'a plain form': () => ({
    path: `/chat/${bea.id}`,
    type: 'application/x-www-form-urlencoded',
    body: () => Buffer.from(String(new URLSearchParams({ id: world.newCommand(), text: 'Hello' }))),
  }),
  'a multipart form': () => multipart('/profile/edit', field('section', 'place'), field('city', 'Porto')),
  'a form with a file': () => multipart('/profile/gallery', field('intent', 'upload'), photo()),
  'an upload by a page': () => ({ ...multipart('/media-upload', photo()), outside: /^\/(signup|discover)$/ }),
}

type Ending = { end: (who: Person) => Promise<unknown>; status: number; leadsTo: RegExp }
const LOGIN = /^\/login/
const ENDINGS: Record<string, Ending> = {
  'signed out': {
    end: (as) => world.api('/auth/logout', { as, method: 'POST' }),
    status: 401,
    leadsTo: LOGIN,
  },
  revoked: { end: ({ id }) => world.services.sessions.revokeAll(id), status: 401, leadsTo: LOGIN },
  suspended: { end: (who) => world.account(who, 'Suspend'), status: 403, leadsTo: LOGIN },
  deactivated: {
    end: (who) => world.account(who, 'Deactivate'),
    status: 403,
    leadsTo: /^\/settings\/delete$/,
  },
  erased: { end: ({ id }) => eraseAccount(erasing(), id), status: 401, leadsTo: LOGIN },
}

/** Sends all but the last bytes, has the session end once it was looked at, and sends the rest. */
async function sendSlowly(who: Person, { path, type, body }: Sending, end: () => Promise<unknown>) {
  const bytes = await body()
  const admit = vi.spyOn(world.services.sessions, 'admit')
  onTestFinished(() => admit.mockRestore())
  const headers = {
    'Content-Type': type,
    'Content-Length': String(bytes.length),
    Origin: world.url,
    ...(path.startsWith('/api/') ? { Authorization: `Bearer ${who.token}` } : { Cookie: who.cookie }),
  }
  const answer = new Promise<{ status: number; location: string; text: string }>((resolve, reject) => {
    const sending = httpRequest(`${world.url}${path}`, { method: 'POST', headers }, async (incoming) => {
      const whole = Buffer.concat(await incoming.toArray())
      const { statusCode = 0, headers: got } = incoming
      const answered = { status: statusCode, location: got.location ?? '', text: whole.toString() }
      holdNode(`${world.url}${path}`, 'POST', incoming, whole).then(() => resolve(answered), reject)
    })
    sending.on('error', reject)
    sending.write(bytes.subarray(0, -LAST_BYTES))
    until('the session was looked at', () => admit.mock.settledResults.some(({ type }) => type === 'fulfilled'))
      .then(end)
      .then(() => world.settled())
      .then(() => sending.end(bytes.subarray(-LAST_BYTES)))
      .catch(reject)
  })
  return answer
}

async function actedBy({ id }: Person): Promise<string[]> {
  const pair = await world.core.log.read(`pair-${[id, bea.id].sort().join('_')}`)
  const [profile, gallery] = [await world.core.log.read(`profile-${id}`), await world.core.log.read(`gallery-${id}`)]
  return [...pair, ...profile, ...gallery].filter(({ metadata }) => metadata.actor === id).map((event) => event.id)
}
const keptOf = async ({ id }: Person) => [
  (await world.services.media.list({ member: id })).map((one) => one.id),
  await world.services.positions.findRaw(id),
]

/** Who writes to somebody has matched them. */
async function memberFor(sent: string): Promise<Person> {
  const ann = await world.member('Ann')
  if (sent === 'a plain form') await world.match(ann, bea)
  await world.settled()
  return ann
}

const CASES = Object.keys(ENDINGS).flatMap((ended) => Object.keys(SENDINGS).map((sent) => ({ sent, ended })))

test.each(CASES)('$sent does nothing for who was $ended before its last bytes', async ({ sent, ended }) => {
  const ann = await memberFor(sent)
  const [ending, sending] = [ENDINGS[ended]!, SENDINGS[sent]!()]
  const before = { acted: await actedBy(ann), kept: await keptOf(ann) }
  const answer = await sendSlowly(ann, sending, () => ending.end(ann))
  if (sending.path.startsWith('/api/')) expect(answer.status).toBe(ending.status)
  else expect([answer.status, answer.location]).toEqual([302, expect.stringMatching(sending.outside ?? ending.leadsTo)])
  expect(await actedBy(ann)).toEqual(before.acted)
  if (ended !== 'erased') return expect(await keptOf(ann)).toEqual(before.kept)
  expect(await world.services.erasure.look({ member: ann.id, emailKey: null })).toMatchObject({ left: 0 })
})

test.each(Object.keys(SENDINGS))('%s is taken, slow as it may be, from whose session lives on', async (sent) => {
  const ann = await memberFor(sent)
  const before = [await actedBy(ann), await keptOf(ann)]
  const answer = await sendSlowly(ann, SENDINGS[sent]!(), async () => undefined)
  expect([answer.status < 400, answer.location]).toEqual([true, expect.not.stringMatching(LOGIN)])
  expect([await actedBy(ann), await keptOf(ann)]).not.toEqual(before)
})
