import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const OSLO = { lat: 59.91, lng: 10.75 }
const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) })

test('a member sees people who fit both ways, and a buzz by plain form takes the card away', async () => {
  const ann = await world.member('Ann', { location: OSLO })
  const bea = await world.member('Bea', { location: OSLO })
  const deck = await (await world.page('/discover', { as: ann })).text()
  expect(deck).toContain('Bea')
  const answer = await world.page('/discover', { as: ann, ...form({ intent: 'buzz', to: bea.id }) })
  expect(answer.status).toBe(302)
  const position = answer.headers.getSetCookie().find((cookie) => cookie.startsWith('__Host-pos='))
  expect(position).toBeDefined()
  const cookie = `${ann.cookie}; ${position?.split(';')[0]}`
  const next = await (await world.page('/discover', { headers: { Cookie: cookie } })).text()
  expect(next).not.toContain(`value="${bea.id}"`)
})

test('buzzing back leads to the page of the match', async () => {
  const cat = await world.member('Cat', { location: OSLO })
  const dan = await world.member('Dan', { location: OSLO })
  await world.buzz(dan, cat)
  await world.settled()
  const answer = await world.page('/discover', { as: cat, ...form({ intent: 'buzz', to: dan.id }) })
  expect(answer.headers.get('Location')).toBe(`/match/${dan.id}`)
  await world.settled()
  const match = await (await world.page(`/match/${dan.id}`, { as: cat })).text()
  expect(match).toContain('It&#x27;s a match!')
})

test('every plain form of a filtered deck comes back to it as it is filtered', async () => {
  const filters = '?ageMin=20&ageMax=60&distanceMiles=400'
  const [ida, joe] = [await world.member('Ida', { location: OSLO }), await world.member('Joe', { location: OSLO })]
  const html = await (await world.page(`/discover${filters}`, { as: ida })).text()
  const actions = [...html.matchAll(/<form method="post" action="([^"]*)"/g)].map(([, path]) => path)
  const own = actions.filter((path) => path?.startsWith('/discover')).map((path) => path?.replaceAll('&amp;', '&'))
  expect(new Set(own)).toEqual(new Set([`/discover${filters}`]))
  for (const fields of [
    { intent: 'skip', to: joe.id },
    { intent: 'undo', to: joe.id },
    { intent: 'vibe', vibe: 'chill' },
    { intent: 'buzz', to: joe.id },
  ]) {
    const answer = await world.page(`/discover${filters}`, { as: ida, ...form(fields) })
    expect([fields.intent, answer.headers.get('Location')]).toEqual([fields.intent, `/discover${filters}`])
    await world.settled()
  }
})

test('the button of the filters says whether they ask for other people than the preferences do', async () => {
  const max = await world.member('Max', { location: OSLO, preferences: { ageRange: [18, 100], distanceMiles: 1000 } })
  const isOn = async (search: string) =>
    (await (await world.page(`/discover${search}`, { as: max })).text()).includes('aria-label="Filters, on"')
  for (const [search, on] of [
    ['', false],
    ['?ageMin=18&ageMax=100&distanceMiles=1000&vibe=', false],
    ['?ageMin=18&ageMax=40&distanceMiles=1000&vibe=', true],
    ['?distanceMiles=5', true],
    ['?vibe=friends', true],
    ['?vibe=chill', false],
  ] as const)
    expect([search, await isOn(search)]).toEqual([search, on])
})

test('an age that is asked for alone and outside the preferences makes a range that people fit', async () => {
  const preferences = { ageRange: [25, 40] as [number, number], distanceMiles: 1000 }
  const pia = await world.member('Pia', { location: OSLO, preferences })
  const read = async (search: string) => (await world.page(`/discover${search}`, { as: pia })).text()
  expect(await read('?ageMin=90')).toContain('Ages 90 to 100 leave out')
  expect(await read('?ageMax=18')).toContain('Ages 18 to 18 leave out')
  expect(await read('?ageMin=90')).toMatch(/name="ageMax"[^>]*value="100"/)
})

test('a skip that another tab undid already is undone', async () => {
  const [kim, lou] = [await world.member('Kim', { location: OSLO }), await world.member('Lou', { location: OSLO })]
  const send = async (intent: string) =>
    (await world.page('/discover', { as: kim, ...form({ intent, to: lou.id }) })).status
  expect([await send('skip'), await send('undo'), await send('undo')]).toEqual([302, 302, 302])
})

test('a plain form that was refused says why and keeps what was typed', async () => {
  const eve = await world.member('Eve')
  const asked = await world.page('/discover', { as: eve, ...form({ intent: 'place', town: 'San' }) })
  const html = await asked.text()
  expect([asked.status, html.includes('There is more than one. Which one is yours?')]).toEqual([400, true])
  expect(html).toMatch(/<input[^>]*name="town"[^>]*value="San"/)
  expect(html).toMatch(/<button type="submit" name="townId" value="San [^"]*"/)
  const townId = /name="townId" value="([^"]*)"/.exec(html)?.[1] ?? ''
  const chosen = await world.page('/discover', { as: eve, ...form({ intent: 'place', town: 'San', townId }) })
  expect([chosen.status, chosen.headers.get('Location')]).toEqual([302, '/discover'])
  expect(await (await world.page('/discover', { as: eve })).text()).not.toContain('Where are you, roughly?')
  const fay = await world.member('Fay')
  await world.buzz(eve, fay)
  const again = await world.page('/discover', { as: eve, ...form({ intent: 'buzz', to: fay.id }) })
  expect([again.status, (await again.text()).includes('already buzzed this user.')]).toEqual([400, true])
  const odd = await world.page('/discover', { as: eve, ...form({ intent: 'constructor' }) })
  expect([odd.status, (await odd.text()).includes('Invalid request.')]).toEqual([400, true])
})

test('the filters say which town distances are from, and lead to where it is changed', async () => {
  const [gil, hal] = [await world.member('Gil'), await world.member('Hal')]
  const line = async (as: Person) =>
    /Distances are from [^<]*/.exec(
      (await (await world.page('/discover', { as })).text()).replaceAll('<!-- -->', ''),
    )?.[0]
  expect(await line(hal)).toBeUndefined()
  const measured = { intent: 'place', lat: '59.9139', lng: '10.7522' }
  expect((await world.page('/discover', { as: gil, ...form(measured) })).status).toBe(302)
  // What was measured may lie in the square of which the town is the middle.
  expect(await line(gil)).toMatch(/^Distances are from (near )?Oslo, Norway · $/)
  const asked = await world.page('/discover', { as: hal, ...form({ intent: 'place', town: 'Springfield' }) })
  const html = await asked.text()
  expect([asked.status, html.includes('Springfield, Illinois, United States')]).toEqual([400, true])
  const chosen = { intent: 'place', town: 'Springfield', townId: 'Springfield, Illinois, US' }
  expect((await world.page('/discover', { as: hal, ...form(chosen) })).status).toBe(302)
  expect(await line(hal)).toBe('Distances are from Springfield, Illinois, United States · ')
  expect(await (await world.page('/discover', { as: hal })).text()).toContain('href="/settings/location"')
})

test('a visitor is sent to the login page', async () => {
  const answer = await world.page('/discover')
  expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/login'])
})

test('a page is sent ten cards of many, and a decision lets the next one in', async () => {
  const far = { location: { lat: 69.65, lng: 18.96 } }
  const gus = await world.member('Gus', far)
  const others = await Promise.all(Array.from({ length: 12 }, (_, n) => world.join(`Neighbour ${n}`, far)))
  await world.settled()
  const dealt = async () => {
    const page = await (await world.page('/discover.data', { as: gus })).text()
    return others.filter(({ id }) => page.includes(id)).map(({ id }) => id)
  }
  const first = await dealt()
  expect(first).toHaveLength(10)
  const [skipped = ''] = first
  await world.page('/discover', { as: gus, ...form({ intent: 'skip', to: skipped }) })
  await world.settled()
  const next = await dealt()
  // The last skip is named by its id beside the cards.
  expect(next.filter((id) => id !== skipped)).toHaveLength(10)
  expect(next.filter((id) => !first.includes(id))).toHaveLength(1)
})

test('a call with a vibe that the viewer may not filter by names it as the filter that costs most', async () => {
  const near = { location: { lat: -33.86, lng: 151.2 } }
  const ira = await world.member('Ira', near)
  await world.member('Joy', near)
  const { users, costliest } = await (await world.api('/discover?vibe=flirty', { as: ira })).json()
  expect([users, costliest?.filter]).toEqual([[], 'vibe'])
  expect(costliest.wouldShow).toBeGreaterThan(0)
})

test('a private vibe is a filter of the page for those whose own it is, and is left out for others in words', async () => {
  const cape = { location: { lat: -33.92, lng: 18.42 } }
  const [pat, quin] = [await world.member('Pat', cape), await world.member('Quin', cape)]
  await world.edit(quin, { vibe: 'flirty' })
  await world.settled()
  const read = async (as: typeof pat) => (await world.page('/discover?vibe=flirty', { as })).text()
  const closed = /<option value="flirty" disabled=""/
  const words = 'Only members whose own vibe is Flirty can filter by it, so people of any vibe are shown.'
  const seen = async (as: typeof pat) => {
    const page = await read(as)
    return [page.includes(words), closed.test(page), page.includes('Open the vibe')]
  }
  expect(await seen(pat)).toEqual([true, true, false])
  expect(await read(pat)).toContain('Quin')
  expect(await seen(quin)).toEqual([false, false, true])
  const gated = await (await world.page('/discover?vibe=ons', { as: pat })).text()
  expect(gated).toContain('That vibe is not open to you as a filter, so people of any vibe are shown.')
})

test('a kept filter by a vibe that is not the member’s own any more is dropped, and the others stay', async () => {
  const rae = await world.member('Rae', { location: OSLO })
  await world.edit(rae, { vibe: 'chill' })
  await world.settled()
  const look = (path: string, kept = '') => world.page(path, { headers: { Cookie: `${rae.cookie}; ${kept}` } })
  const keptIn = (answer: Response) =>
    answer.headers.getSetCookie().find((cookie) => cookie.startsWith('__Host-filters='))
  const both = keptIn(await look('/discover?ageMin=20&vibe=chill')) ?? ''
  const alone = keptIn(await look('/discover?vibe=chill')) ?? ''
  await world.edit(rae, { vibe: 'serious' })
  await world.settled()
  const left = keptIn(await look('/discover?ageMin=20&vibe=chill', both)) ?? ''
  expect((await look('/discover', left)).headers.get('Location')).toBe('/discover?ageMin=20')
  expect(keptIn(await look('/discover?vibe=chill', alone))).toMatch(/^__Host-filters=; Max-Age=0/)
})

test('a member whom the deck does not know, as in the middle of an erasure, is asked to try again', async () => {
  const zoe = await world.member('Zoe')
  await world.core.storage.pool.query('delete from read.candidate where member = $1', [zoe.id])
  const answer = await world.page('/discover', { as: zoe })
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain('Please try again in a moment.')
})

test('what was asked for last is asked for again by who asked, and by nobody else in the browser', async () => {
  const [mai, nia] = [await world.member('Mai', { location: OSLO }), await world.member('Nia', { location: OSLO })]
  const cookieOf = (answer: Response) =>
    answer.headers.getSetCookie().find((cookie) => cookie.startsWith('__Host-filters='))
  const asked = await world.page('/discover?ageMin=50&ageMax=20&vibe=friends', { as: mai })
  const kept = cookieOf(asked)
  expect(kept).toMatch(/HttpOnly; Secure; SameSite=Lax$/)
  const pair = kept?.split(';')[0]
  const look = (path: string, { cookie }: { cookie: string }) =>
    world.page(path, { headers: { Cookie: `${cookie}; ${pair}` } })
  const again = await look('/discover', mai)
  expect([again.status, again.headers.get('Location')]).toEqual([302, '/discover?ageMin=20&ageMax=50&vibe=friends'])
  expect((await look('/discover', nia)).status).toBe(200)
  expect(cookieOf(await look('/discover?ageMin=20&ageMax=50&vibe=friends', mai))).toBeUndefined()
  expect(cookieOf(await look('/discover?filters=none', mai))).toMatch(/^__Host-filters=; Max-Age=0/)
})

test('a link on another site leads to what the member asked for, and nothing of it is kept', async () => {
  const ola = await world.member('Ola', { location: OSLO })
  const follow = (path: string, site: string, cookie = '') =>
    world.page(path, { headers: { Cookie: `${ola.cookie}; ${cookie}`, 'Sec-Fetch-Site': site } })
  const seen = (answer: Response) => [
    answer.status,
    answer.headers.get('Location'),
    answer.headers.getSetCookie().filter((cookie) => cookie.startsWith('__Host-filters=')),
  ]
  const theirs = '/discover?ageMin=99&ageMax=100&distanceMiles=0'
  const [own] = (await follow('/discover?ageMin=30', 'same-origin')).headers.getSetCookie()
  const pair = own?.split(';')[0] ?? ''
  expect(pair).toMatch(/^__Host-filters=/)
  for (const site of ['cross-site', 'same-site']) {
    expect(seen(await follow(theirs, site))).toEqual([302, '/discover', []])
    for (const path of ['/discover', '/discover?filters=none', theirs])
      expect(seen(await follow(path, site, pair))).toEqual([302, '/discover?ageMin=30', []])
    expect(seen(await follow('/discover', site))).toEqual([200, null, []])
    expect(seen(await follow('/discover?ageMin=30', site, pair))).toEqual([200, null, []])
  }
})
