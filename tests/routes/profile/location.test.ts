import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
/** Whose limits count. */
let strict: World
beforeAll(async () => {
  ;[world, strict] = await Promise.all([startWorld(), startWorld({ rateLimits: true })])
})
afterAll(() => Promise.all([world.stop(), strict.stop()]))

const PAGE = '/settings/location'
const read = async (as: Person, query = '', at = world) =>
  (await (await at.page(PAGE + query, { as })).text()).replaceAll('<!-- -->', '')
const send = (as: Person, fields: Record<string, string>, at = world) =>
  at.page(PAGE, { as, method: 'POST', body: new URLSearchParams(fields) })

test('a town is chosen among those of its name, changed, and said in full with what is kept of it', async () => {
  const ann = await world.member('Ann')
  expect(await read(ann)).toContain('Nothing is kept')
  const asked = await send(ann, { intent: 'place', town: 'Springfield' })
  const html = await asked.text()
  expect([asked.status, html.includes('There is more than one. Which one is yours?')]).toEqual([400, true])
  expect(html).toMatch(/<input[^>]*name="town"[^>]*value="Springfield"/)
  const chosen = await send(ann, { intent: 'place', town: 'Springfield', townId: 'Springfield, US' })
  expect([chosen.status, chosen.headers.get('Location')]).toEqual([302, `${PAGE}?done=set`])
  const set = await read(ann, '?done=set')
  expect(set).toContain('Your location is set: Springfield, Missouri, United States.')
  expect(set).toContain('None: you named a town')
  expect(set).toMatch(/Kept until \d+ \w+ \d{4} at \d\d:\d\d UTC/)
  await send(ann, { intent: 'place', town: 'Lisbon' })
  expect(await read(ann)).toContain('<dd>Lisbon, Portugal</dd>')
})

test('of a position the page says which town it is near and until when it is kept, never where it is', async () => {
  const bea = await world.member('Bea')
  expect((await send(bea, { intent: 'place', lat: '59.9139', lng: '10.7522' })).status).toBe(302)
  const html = await read(bea)
  expect(html).toContain('<dd>Near Oslo, Norway, as your browser said</dd>')
  expect(html.match(/Kept until/g)).toHaveLength(2)
  for (const part of ['59.9139', '10.7522', '"lat"', '"lng"', '"cell"']) expect(html).not.toContain(part)
})

test('what is refused is said at the field, and a form of no name changes nothing', async () => {
  const cid = await world.member('Cid')
  const refused = await send(cid, { intent: 'place', town: 'Xyzzyville' })
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('No town called Xyzzyville is in the list.'),
  ])
  expect((await send(cid, { intent: 'place', lat: '91', lng: '0' })).status).toBe(400)
  expect((await send(cid, { intent: 'elsewhere' })).status).toBe(400)
  expect(await read(cid)).toContain('Nothing is kept')
})

test('a location is forgotten after a question, and set anew three times a day', async () => {
  const dan = await strict.member('Dan', { location: { lat: 59.91, lng: 10.75 } })
  const page = (query: string) => read(dan, query, strict)
  const forget = () =>
    strict.page(`${PAGE}?confirm=forget`, { as: dan, method: 'POST', body: new URLSearchParams({ intent: 'forget' }) })
  expect(await page('')).not.toContain('Forget it')
  expect(await page('?confirm=forget')).toContain('Others meet you without a distance')
  expect((await forget()).headers.get('Location')).toBe(`${PAGE}?done=forgotten`)
  expect(await page('?done=forgotten')).toContain('Your location is forgotten.')
  expect(await (await strict.page('/discover', { as: dan })).text()).toContain('Where are you, roughly?')
  for (const town of ['Lisbon', 'Tromsø']) {
    expect((await send(dan, { intent: 'place', town }, strict)).status).toBe(302)
    expect(await page('?done=forgotten')).not.toContain('Your location is forgotten.')
    expect((await forget()).status).toBe(302)
  }
  const fourth = await send(dan, { intent: 'place', town: 'Oslo' }, strict)
  const html = await fourth.text()
  expect([fourth.status, html.includes('You can set it again in')]).toEqual([429, true])
  expect(html).toMatch(/<input[^>]*name="town"[^>]*value="Oslo"/)
})

test('of a far position the page says that it is where the browser said, and of a move that it shows later', async () => {
  const fay = await world.member('Fay')
  await send(fay, { intent: 'place', lat: '-40', lng: '-120' })
  expect(await read(fay)).toContain('<dd>Where your browser said you are</dd>')
  expect(await read(fay)).not.toContain('within 12 minutes')
  await send(fay, { intent: 'place', lat: '59.9139', lng: '10.7522' })
  const html = await read(fay)
  expect(html).toContain('<dd>Near Oslo, Norway, as your browser said</dd>')
  expect(html).toContain('Distances follow you here within 12 minutes')
})

test('a position that comes too soon after another location is said to be', async () => {
  const gus = await strict.member('Gus', { location: { lat: 59.91, lng: 10.75 } })
  const measured = { intent: 'place', lat: '59.9139', lng: '10.7522' }
  expect((await send(gus, { intent: 'place', town: 'Oslo' }, strict)).status).toBe(302)
  const soon = await send(gus, measured, strict)
  expect([soon.status, (await soon.text()).includes('You can change it again in')]).toEqual([429, true])
  const far = await strict.member('Hal', { location: { lat: 59.91, lng: 10.75 } })
  const refused = await send(far, { intent: 'place', town: 'Lisbon' }, strict)
  expect(await refused.text()).toContain('or at once after you forget your location.')
})

test('the own profile leads to the page', async () => {
  const eve = await world.member('Eve')
  expect(await (await world.page('/profile', { as: eve })).text()).toContain('href="/settings/location"')
})
