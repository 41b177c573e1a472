import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jpeg } from '../../services/support/pictures.ts'
import { document } from '../../support/described/document.ts'
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
  await world.match(ann, bea)
  await world.settled()
}, 120_000)
afterAll(() => world?.stop())

const call = apiCalls(() => world)
const EMOJI = '🙂'
type Text = { maxLength?: number; uniqueItems?: boolean; type?: string; enum?: string[]; items?: Text; anyOf?: Text[] }
type Body = { properties: Record<string, Text> }

/** The fields of the body that a call takes, as the description has them. */
function fieldsOf(path: string, method: string, type = 'application/json'): Record<string, Text> {
  const item = (document.paths?.[`/api${path}`] ?? {}) as Record<
    string,
    { requestBody?: { content: Record<string, { schema: Body }> } }
  >
  return item[method]?.requestBody?.content[type]?.schema.properties ?? {}
}
const maxOf = (field: Text | undefined) => field?.maxLength ?? field?.items?.maxLength ?? Number.NaN

test('what is served is what the answers of all tests are checked against', async () => {
  const answer = await world.page('/openapi.json')
  expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(document)))
})

test('a text of the profile may be as long as the description says, in code points, and no longer', async () => {
  const fields = fieldsOf('/users/me', 'put')
  const texts = ['firstName', 'lastName', 'bio', 'city', 'state', 'location', 'orientation', 'interests', 'hobbies']
  for (const name of texts) {
    // A name is changed once in thirty days.
    const as = await world.member('Cat')
    const max = maxOf(fields[name])
    const put = (length: number) => {
      const text = EMOJI.repeat(length)
      return call('/users/me', { as, method: 'PUT', body: { [name]: fields[name]?.items ? [text] : text } })
    }
    const longer = { status: 400, json: { fields: { [name]: `Use at most ${max} characters.` } } }
    expect([name, await put(max + 1)]).toMatchObject([name, longer])
    expect([name, (await put(max)).status]).toEqual([name, 200])
  }
})

test('so may a message, a reason and the name of a newcomer', async () => {
  const text = (length: number) => EMOJI.repeat(length)
  const message = maxOf(fieldsOf('/chat/{userId}/messages', 'post').text)
  const write = (length: number) =>
    call(`/chat/${bea.id}/messages`, { as: ann, body: { id: randomUUID(), text: text(length) } })
  expect([(await write(message)).status, (await write(message + 1)).status]).toEqual([200, 400])
  const reason = maxOf(fieldsOf('/report', 'post').reason)
  const report = (length: number) => call('/report', { as: ann, body: { targetId: bea.id, reason: text(length) } })
  expect([(await report(reason)).status, (await report(reason + 1)).status]).toEqual([200, 400])
  const name = maxOf(fieldsOf('/auth/register-full', 'post').firstName)
  const { signupToken, payload } = await newcomer(world)
  const register = (length: number) =>
    call('/auth/register-full', { body: { ...payload, signupToken, firstName: text(length) } })
  expect([(await register(name + 1)).status, (await register(name)).status]).toEqual([400, 200])
})

test('a list that the description calls a set is refused with an item that stands in it twice', async () => {
  const as = await world.member('Dan')
  const twice = { interests: ['Music', 'Music'], hobbies: ['Knots', 'knots'], interestedIn: ['male', 'male'] }
  for (const [name, list] of Object.entries(twice)) {
    const put = (items: string[]) => call('/users/me', { as, method: 'PUT', body: { [name]: items } })
    expect([name, fieldsOf('/users/me', 'put')[name]]).toMatchObject([name, { uniqueItems: true }])
    expect([name, await put(list)]).toMatchObject([
      name,
      { status: 400, json: { fields: { [name]: expect.any(String) } } },
    ])
    expect([name, (await put(list.slice(1))).status]).toEqual([name, 200])
  }
})

test('an upload is for a purpose of the description, and for no other', async () => {
  const purposes = fieldsOf('/upload-media-file', 'post', 'multipart/form-data').purpose?.enum ?? []
  const upload = async (purpose: string) => {
    const body = new FormData()
    body.set('purpose', purpose)
    body.set('file', new Blob([new Uint8Array(await jpeg())], { type: 'image/jpeg' }), 'a.jpg')
    const headers = { Authorization: `Bearer ${ann.token}` }
    return (await fetch(`${world.url}/api/upload-media-file`, { method: 'POST', body, headers })).status
  }
  expect(purposes).toContain('kyc-id')
  for (const purpose of purposes)
    expect([purpose, await upload(purpose)]).toEqual([purpose, purpose === 'voice' ? 415 : 200])
  expect(await upload('nobody')).toBe(400)
})

test('the probes answer as they are described', async () => {
  expect([(await world.page('/healthz')).status, (await world.page('/readyz')).status]).toEqual([200, 200])
})
