import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DomainEvent } from '../../../domain/all-events.ts'
import { isErased } from '../../../domain/shared/personal.ts'
import { START } from '../../../domain/shared/recorded.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { EVENTS } from '../../../server/tools/export/data-map.ts'
import { isOwn } from '../../../server/tools/export/streams.ts'
import { APP_TABLES } from '../../../server/tools/export/table-map.ts'
import { actingAs } from '../../../usecases/acting.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { report } from '../../../usecases/safety/report.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { exported } from './archive.ts'

const LISBON = { lat: 38.7223, lng: -9.1393 }
const OPORTO = { lat: 41.14961, lng: -8.61099 }

let world: World
let ann: Person
let bea: Person
let cat: Person
let dan: Person
let gil: Person
let files: Map<string, Buffer>

const textOf = (path: string) => files.get(path)?.toString('utf8') ?? ''
const listIn = (path: string) => JSON.parse(textOf(path)) as Record<string, unknown>[]

/** Ann does all that a member can do, and others do to her what they can. */
async function live(): Promise<void> {
  const join = (name: string) => world.join(name, { lastName: `${name}secret` })
  const people = await Promise.all(['Ann', 'Bea', 'Cat', 'Dan', 'Gil'].map(join))
  ;[ann, bea, cat, dan, gil] = people as [Person, Person, Person, Person, Person]
  await world.settled()
  await world.services.positions.accept(ann.id, LISBON)
  await world.services.positions.accept(bea.id, OPORTO)
  await world.edit(ann, {
    bio: 'An old bio',
    city: 'Lisbon',
    height: 171,
    hobbies: ['Sourdough'],
    phone: '+351911111111',
  })
  await world.edit(ann, { bio: 'The bio of today', likes: ['Rain'], dislikes: ['Queues'], timezone: 'Europe/Lisbon' })
  await world.edit(bea, { phone: '+351922222222' })
  for (const other of [bea, cat, gil]) await world.match(ann, other)
  await world.settled()
  await world.sendMessage(ann, bea, 'sent by Ann')
  await world.sendMessage(bea, ann, 'written by Bea')
  await world.sendMessage(gil, ann, 'words of one who goes')
  await world.sendMessage(ann, gil, 'words to one who goes')
  await world.unmatch(cat, ann)
  await world.buzz(ann, dan)
  await world.block(cat, ann)
  await world.skip(dan, ann)
  await world.settled()
  const commandId = world.newCommand
  await report(actingAs(world.context, ann.id), { target: cat.id, reason: 'Ann says: rude', commandId: commandId() })
  await report(actingAs(world.context, dan.id), { target: ann.id, reason: 'Dan says: dull', commandId: commandId() })
  const parts = { core: world.core, services: world.services, mailbox: world.product.mailbox, now: () => new Date() }
  expect(await eraseAccount(erasingOf(parts, 'admin:test'), gil.id)).toMatchObject({ ok: true })
  await world.settled()
}

beforeAll(async () => {
  world = await startWorld()
  await live()
  ;({ files } = await exported(world, ann))
}, 180_000)
afterAll(() => world?.stop())

async function allOfLog(): Promise<DomainEvent[]> {
  const { log, codec } = world.core
  return codec.decode(await log.readAll(START, 10_000))
}

/** As JSON shows it. */
const shown = (value: unknown) => JSON.stringify(value).slice(1, -1)

test('every field of an event of the member stands where the data map says', async () => {
  const missing: string[] = []
  let looked = 0
  for (const event of await allOfLog()) {
    if (!isOwn({ member: ann.id }, event)) continue
    for (const [field, destination] of Object.entries(EVENTS[event.type]?.fields ?? {})) {
      const value = (event as unknown as Record<string, unknown>)[field]
      if (!('in' in destination) || value === null || isErased(value)) continue
      const paths = [...files.keys()].filter((path) => path.startsWith(destination.in))
      looked++
      if (!paths.some((path) => textOf(path).includes(shown(value)))) missing.push(`${event.type}.${field}`)
    }
  }
  expect(missing).toEqual([])
  expect(looked).toBeGreaterThan(100)
})

test('every column of every table beside the log is in the data map, and the map names no other', async () => {
  const { rows } = await world.core.storage.pool.query<{ t: string; c: string }>(
    `select table_name as t, column_name as c from information_schema.columns where table_schema = 'app'`,
  )
  const missing = rows.filter(({ t, c }) => !APP_TABLES[t]?.[c] && !APP_TABLES[t]?.['*'])
  expect(missing.map(({ t, c }) => `${t}.${c}`)).toEqual([])
  const columns = new Set(rows.flatMap(({ t, c }) => [`${t}.${c}`, `${t}.*`]))
  const stale = Object.entries(APP_TABLES).flatMap(([table, map]) =>
    Object.keys(map)
      .map((column) => `${table}.${column}`)
      .filter((name) => !columns.has(name)),
  )
  expect(stale).toEqual(rows.some(({ t }) => t === 'projection_swap') ? [] : ['projection_swap.*'])
})

test('every file that the data map names is there', () => {
  const named = [...Object.values(EVENTS).map(({ fields }) => fields), ...Object.values(APP_TABLES)]
    .flatMap((map) => Object.values(map))
    .flatMap((destination) => ('in' in destination ? [destination.in] : []))
  const missing = [...new Set(named)].filter((name) => ![...files.keys()].some((path) => path.startsWith(name)))
  expect(missing).toEqual([])
})

test('what the contract names is in it', () => {
  expect(listIn('profile.json')[0]).toMatchObject({ firstName: 'Ann', bio: 'The bio of today', height: 171 })
  expect(listIn('account.json')[0]).toMatchObject({ id: ann.id, email: ann.email })
  expect(listIn('settings.json')[0]).toMatchObject({ visibilityMode: 'auto', timezone: 'Europe/Lisbon' })
  expect(listIn('consents.json')).toMatchObject([{ version: expect.any(String), email: ann.email }])
  expect(listIn('sessions.json')).toMatchObject([{ kind: 'session', label: 'A test' }])
  expect(listIn('location.json')).toMatchObject([{ exact: LISBON }])
  expect(listIn('likes.json').map(({ firstName }) => firstName)).toContain('Dan')
  expect(listIn('matches.json')).toMatchObject([{ id: bea.id, firstName: 'Bea' }])
  expect(listIn('notifications.json').length).toBeGreaterThan(0)
  expect(listIn('reports.json')).toMatchObject([
    { happened: 'MemberReported', reason: 'Ann says: rude', target: cat.id },
  ])
  expect(textOf('history.json')).toContain('An old bio')
})

test('messages are there as sent and as received, and those of who was erased without their words', () => {
  expect(listIn(`messages/${bea.id}.json`)).toMatchObject([
    { direction: 'sent', text: 'sent by Ann' },
    { direction: 'received', text: 'written by Bea' },
  ])
  const left = listIn(`messages/${gil.id}.json`)
  expect(left).toMatchObject([{ direction: 'received' }, { direction: 'sent', text: 'words to one who goes' }])
})

test('own pictures are there byte for byte', async () => {
  const listed = listIn('media.json')
  expect(listed.length).toBe(2)
  for (const { file, bytes } of listed) expect(files.get(String(file))?.length).toBe(bytes)
  expect([...files.keys()].filter((path) => path.startsWith('media/')).sort()).toEqual(
    listed.map(({ file }) => file).sort(),
  )
})

test('nothing private of others is in it, nor who reported, blocked or skipped the member', () => {
  const all = [...files].map(([path, bytes]) => (path.startsWith('media/') ? '' : bytes.toString('utf8'))).join('\n')
  const privacies = [bea, cat, dan, gil].flatMap(({ email, name }) => [email, `${name}secret`])
  for (const secret of [...privacies, '+351922222222', '41.149', '-8.610', 'Dan says', '1994-04-12T'])
    expect(all.includes(secret), secret).toBe(false)
  const byOthers = listIn('history.json').filter(({ by }) => by !== undefined && by !== ann.id)
  expect(byOthers).toEqual([])
  for (const secret of [ann.token, 'password_hash', 'token_hash', '$argon2']) expect(all.includes(secret)).toBe(false)
})

test('the page that opens it reads without network and names every file', () => {
  const page = textOf('index.html')
  expect(page).toContain('The bio of today')
  for (const path of files.keys()) if (path !== 'index.html') expect(page).toContain(`"${path}"`)
  expect(page).not.toMatch(/<script|https?:\/\//)
})
