import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FIELD_KEYS } from '../../../domain/profile/choices.ts'
import { getSelf } from '../../../projections/profiles/queries.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const open = async (path: string, as: Person) => (await world.page(path, { as })).text()
const self = async (who: Person) => {
  await world.settled()
  return getSelf(world.read, who.id, new Date())
}
type Fields = Record<string, string | readonly string[]>
const save = (path: string, as: Person, fields: Fields) => {
  const body = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, String(one))
  return world.page(path, { as, method: 'POST', body })
}
const edit = (as: Person, section: string, fields: Fields) => save('/profile/edit', as, { section, ...fields })

test.each(['__proto__', 'constructor', 'toString', ''])(
  'a page stands whatever its address says was saved: %s',
  async (word) => {
    const zoe = await world.member('Zoe')
    for (const path of ['/profile/edit', '/profile/privacy', '/profile/gallery', '/settings/delete', '/blocked'])
      expect(
        (await world.page(`${path}?saved=${word}&section=${word}&media=${word}`, { as: zoe })).status,
        path,
      ).not.toBe(500)
  },
)

test('each form of the own profile saves by itself', async () => {
  const ann = await world.member('Ann')
  const forms: [string, Fields][] = [
    ['about', { bio: 'Two lines\r\nof text' }],
    ['place', { city: 'Porto', state: 'Norte' }],
    ['facts', { height: '170', orientation: 'Pansexual' }],
    ['interests', { interests: ['Music', 'Art'], 'interests-own': 'Chess, music , Knots' }],
    ['hobbies', { hobbies: 'Yoga', 'hobbies-own': '' }],
    ['tastes', { 'likes-own': 'rain, trains', 'dislikes-own': 'noise' }],
    ['looking', { lookingFor: 'friends', vibe: 'chill' }],
    ['meet', { interestedIn: ['male'], ageMin: '25', ageMax: '40', distanceMiles: '50' }],
    ['phone', { phone: '+351 912-345-678' }],
  ]
  for (const [section, fields] of forms)
    expect((await edit(ann, section, fields)).headers.get('Location'), section).toBe(
      `/profile/edit?saved=${section}#${section}`,
    )
  expect(await self(ann)).toMatchObject({
    bio: 'Two lines\nof text',
    city: 'Porto',
    state: 'Norte',
    height: 170,
    orientation: 'Pansexual',
    interests: ['Music', 'Art', 'Chess', 'Knots'],
    hobbies: ['Yoga'],
    likes: ['rain', 'trains'],
    dislikes: ['noise'],
    lookingFor: 'friends',
    vibe: 'chill',
    interestedIn: ['male'],
    phone: '+351912345678',
    preferences: { ageRange: [25, 40], distanceMiles: 50 },
  })
  expect(await open('/profile/edit?saved=about', ann)).toContain('Profile updated ✅')
  expect(await open('/profile', ann)).toContain('Two lines')
})

test('what is wrong is shown at its field, and what was typed stays', async () => {
  const bea = await world.member('Bea')
  const wrong: [string, Fields, string, string][] = [
    ['about', { bio: 'z'.repeat(501) }, 'Use at most 500 characters.', 'z'.repeat(501)],
    ['facts', { height: '20', orientation: 'Demi' }, 'between 90 and 250', 'Demi'],
    [
      'interests',
      { interests: ['Music', 'Travel', 'Art', 'Books', 'Pets'], 'interests-own': 'Kites' },
      'Choose at most 5',
      'Kites',
    ],
    [
      'meet',
      { interestedIn: 'male', ageMin: '50', ageMax: '30', distanceMiles: '7' },
      'the lowest first',
      'value="50"',
    ],
    ['meet', { ageMin: '20', ageMax: '30', distanceMiles: '2000' }, 'Enter miles from 0 to 1000.', 'value="2000"'],
    [
      'meet',
      { ageMin: '20', ageMax: '30', distanceMiles: '7' },
      'Please choose whom you are interested in.',
      'value="20"',
    ],
    ['phone', { phone: 'none' }, 'international form', 'value="none"'],
    ['name', { firstName: '', lastName: 'Kept' }, 'Enter a first name', 'Kept'],
  ]
  for (const [section, fields, says, keeps] of wrong) {
    const answer = await edit(bea, section, fields)
    const html = await answer.text()
    expect([section, answer.status, html.includes(says), html.includes(keeps)]).toEqual([section, 400, true, true])
  }
  expect(await self(bea)).toMatchObject({ bio: '', height: null, interests: ['Music', 'Travel'], firstName: 'Bea' })
})

test('the form takes the parts of a mile that a call has stored', async () => {
  const fay = await world.member('Fay')
  const preferences = { ageRange: [20, 30], distanceMiles: 12.5 }
  const stored = await world.api('/users/me', { as: fay, method: 'PUT', body: JSON.stringify({ preferences }) })
  expect(stored.status).toBe(200)
  await world.settled()
  const [input] = /<input[^>]*name="distanceMiles"[^>]*>/.exec(await open('/profile/edit?section=meet', fay)) ?? []
  for (const attribute of ['step="any"', 'value="12.5"']) expect(input).toContain(attribute)
  const fields = { interestedIn: 'male', ageMin: '21', ageMax: '30', distanceMiles: '12.5' }
  expect((await edit(fay, 'meet', fields)).status).toBe(302)
  expect((await self(fay)).preferences).toEqual({ ageRange: [21, 30], distanceMiles: 12.5 })
})

test('a name changes once in 30 days', async () => {
  const cat = await world.member('Cat')
  expect((await edit(cat, 'name', { firstName: 'Cate', lastName: 'Moreau' })).status).toBe(302)
  await world.settled()
  expect(await open('/profile/edit?section=name', cat)).toContain('You can change your name again in 30 day(s).')
  const again = await edit(cat, 'name', { firstName: 'Katie', lastName: 'Moreau' })
  expect([again.status, (await self(cat)).firstName]).toEqual([400, 'Cate'])
})

test('a restricted mode is no vibe that a page could choose', async () => {
  const dan = await world.member('Dan')
  expect((await edit(dan, 'looking', { lookingFor: 'serious', vibe: 'threesome' })).status).toBe(403)
  expect((await self(dan)).vibe).toBe('serious')
})

test('visibility, blur and audience save, and the audience is off while hidden', async () => {
  const eve = await world.member('Eve')
  const levels = Object.fromEntries(FIELD_KEYS.map((key) => [key, key === 'age' ? 'hidden' : 'matches']))
  const privacy = (section: string, fields: Fields) => save('/profile/privacy', eve, { section, ...fields })
  expect((await privacy('audience', levels)).status).toBe(302)
  expect((await privacy('blur', { blur: 'blurred' })).status).toBe(302)
  expect((await privacy('mode', { visibilityMode: 'hidden' })).headers.get('Location')).toBe(
    '/profile/privacy?saved=mode#mode',
  )
  expect(await self(eve)).toMatchObject({
    visibilityMode: 'hidden',
    visibility: 'invisible',
    blur: 'blurred',
    fieldVisibility: levels,
  })
  const html = await open('/profile/privacy?section=audience', eve)
  expect(html.match(/<fieldset class="audience" disabled=""/g)).toHaveLength(11)
  expect(await open('/profile/privacy?saved=mode', eve)).toContain('Privacy saved ✔')
  expect((await privacy('mode', { visibilityMode: 'nobody' })).status).toBe(400)
  expect((await privacy('audience', { ...levels, city: 'friends' })).status).toBe(400)
})

const picture = async () =>
  new File(
    [
      new Uint8Array(
        await sharp({ create: { width: 80, height: 100, channels: 3, background: '#3a7' } })
          .png()
          .toBuffer(),
      ),
    ],
    'a.png',
  )
const upload = async (as: Person, fields: Record<string, string | File>) => {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  return world.page('/profile/gallery', { as, method: 'POST', body })
}
const change = (as: Person, intent: string, media: string) => save('/profile/gallery', as, { intent, media })

test('pictures are added, hidden, made the avatar and deleted, and one photo always stays', async () => {
  const fay = await world.member('Fay')
  expect((await upload(fay, { intent: 'upload', file: await picture() })).headers.get('Location')).toBe(
    '/profile/gallery?saved=add#saved',
  )
  expect((await upload(fay, { intent: 'upload', asAvatar: 'yes', file: await picture() })).status).toBe(302)
  const { media, avatar } = await self(fay)
  expect([media.length, media[0]?.url]).toEqual([4, avatar])
  const refused = await change(fay, 'private', media[0]!.id)
  expect([refused.status, (await refused.text()).includes('Could not change privacy')]).toEqual([400, true])
  expect((await change(fay, 'private', media[1]!.id)).status).toBe(302)
  expect((await change(fay, 'avatar', media[2]!.id)).status).toBe(302)
  expect(await self(fay)).toMatchObject({ avatar: media[2]!.url })
  for (const { id } of media.slice(0, 3)) expect((await change(fay, 'delete', id)).status).toBe(302)
  const last = await change(fay, 'delete', media[3]!.id)
  expect([last.status, (await last.text()).includes('Could not delete media')]).toEqual([400, true])
  expect((await self(fay)).media.map((item) => item.id)).toEqual([media[3]!.id])
  expect((await world.page(media[0]!.url, { as: fay })).status).toBe(404)
})

test('a file that is no picture, and a picture of someone else, are refused', async () => {
  const [gus, hal] = [await world.member('Gus'), await world.member('Hal')]
  const text = await upload(gus, { intent: 'upload', file: new File(['hello'], 'a.png') })
  expect(text.status).toBe(415)
  const theirs = (await self(hal)).media[0]!.id
  for (const intent of ['add', 'add-avatar', 'avatar', 'delete', 'private']) {
    expect((await change(gus, intent, theirs)).status, intent).toBeGreaterThanOrEqual(400)
  }
  expect((await self(hal)).media).toHaveLength(2)
  const nothing = await save('/profile/edit', gus, { intent: 'voice-save' })
  expect([nothing.status, (await nothing.text()).includes('Record something first.')]).toEqual([400, true])
})

test('the three lists name who belongs there, and say so when nobody does', async () => {
  const [ivy, jon, kay, lou] = [
    await world.member('Ivy'),
    await world.member('Jon'),
    await world.member('Kay'),
    await world.member('Lou'),
  ]
  expect(await open('/profile?show=liked', ivy)).toContain('No users found here yet.')
  await world.buzz(ivy, jon)
  await world.buzz(kay, ivy)
  await world.match(ivy, lou)
  await world.settled()
  for (const [list, who] of [
    ['liked', jon],
    ['liked-you', kay],
    ['matches', lou],
  ] as const) {
    const html = await open(`/profile?show=${list}`, ivy)
    for (const one of [jon, kay, lou]) expect(html.includes(`/view/${one.id}`), `${list} ${one.name}`).toBe(one === who)
  }
})

test('what the own profile lists leads to where each is edited', async () => {
  const ida = await world.member('Ida')
  const html = (await open('/profile', ida)).replaceAll('<!-- -->', '')
  const parts = [...html.matchAll(/<section class="own-info-part">.*?<\/section>/gs)].map(([part]) => part)
  const editedIn = (label: string) =>
    parts.filter((part) => part.includes(`<dt>${label}</dt>`)).map((part) => /section=(\w+)"/.exec(part)?.[1])
  const labels = ['Looking for', 'Vibe', 'Interested in', 'Ages', 'Distance', 'Height', 'Orientation', 'City', 'Number']
  const sections = ['looking', 'looking', 'meet', 'meet', 'meet', 'facts', 'facts', 'place', 'phone']
  expect(labels.map(editedIn)).toEqual(sections.map((section) => [section]))
  expect(editedIn('E-mail')).toEqual([undefined])
})

test('the row of the blur says what strangers get with the mode and who may see photos', async () => {
  const jo = await world.member('Jo')
  const row = async (changes: object) => {
    await world.api('/users/me', { as: jo, method: 'PUT', body: JSON.stringify(changes) })
    await world.settled()
    const words = /id="blur".*?class="list-value[^"]*">([^<]*)</s
    return words.exec(await open('/profile/privacy', jo))?.[1]
  }
  const photos = (level: string) => ({ fieldVisibility: { photos: level } })
  expect(await row({ visibilityMode: 'auto', ...photos('public') })).toBe('Until you match, as Auto has it')
  expect(await row({ visibilityMode: 'full' })).toBe('Photos are shown as they are')
  expect(await row(photos('matches'))).toBe('Until you match: photos are for matches')
  expect(await row({ favorites: ['blur:blurred'] })).toBe('Until you match')
  expect(await row(photos('hidden'))).toBe('Nobody sees your photos')
  const sheet = await open('/profile/privacy?section=blur', jo)
  expect([sheet.includes('Where other settings say so'), sheet.includes('>Clear<')]).toEqual([true, false])
})
