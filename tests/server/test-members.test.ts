import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

let world: World
let registered: Person
let added: Person
beforeAll(async () => {
  world = await startWorld({ web: false })
  registered = await world.member('Ann', { email: 'ann@example.com' })
  added = await world.member('Ann')
})
afterAll(() => world.stop())

/** A proof that was used up, which nobody looks at again. */
const OF_REGISTRATION_ALONE = ['app.signup_proof']

/** Without what is another one's for every member, or every moment. */
function plain(text: string, { id, email }: Person): string {
  return text
    .replaceAll(world.services.credentials.emailKey(email), '<email key>')
    .replaceAll(id, '<member>')
    .replaceAll(email, '<email>')
    .replace(/\b[0-9a-z]{24}\b/g, '<id>')
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '<uuid>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-][\d:]+)/g, '<moment>')
    .replace(/\\\\x[0-9a-f]+/g, '<bytes>')
    .replace(/(\$argon2id\$v=\d+\$[^$]+)\$[^"]+/g, '$1')
    .replace(/"forms": *"(owed|made|given-up)"/, '"forms": <>')
    .replace(/"(position|media_counted_to|media_at|avatar_at|sealed)": *"?\w+"?/g, '"$1": <>')
}

async function eventsOf(person: Person): Promise<string[]> {
  const { log, codec } = world.core
  const address = await world.services.addresses.find(world.services.credentials.emailKey(person.email))
  const streams = ['member', 'profile', 'gallery'].map((category) => `${category}-${person.id}`)
  const all = await Promise.all(
    [...streams, `email-${address}`].map(async (name) => codec.decode(await log.read(name))),
  )
  return all.flat().map(({ meta: _meta, ...event }) => plain(JSON.stringify(event), person))
}

async function rowsOf(person: Person): Promise<string[]> {
  const { pool } = world.core.storage
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('app', 'read') order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables.filter(({ name }) => !OF_REGISTRATION_ALONE.includes(name))) {
    const { rows } = await pool.query<{ row: string }>(
      `select row::text from (select to_jsonb(t) as row from ${name} t) all_rows where row::text like '%' || $1 || '%'`,
      [person.id],
    )
    found.push(...rows.map(({ row }) => `${name} ${plain(row, person)}`).sort())
  }
  return found
}

test('a member of a test world differs in no event from one who registered', async () => {
  expect(await eventsOf(added)).toEqual(await eventsOf(registered))
})

test('nor in any row, but for smaller forms of their pictures, which nobody makes', async () => {
  const rows = await rowsOf(added)
  expect(rows.length).toBeGreaterThan(8)
  expect(rows).toEqual(await rowsOf(registered))
})

test('their pictures can be opened, and they sign in with their password', async () => {
  const media = await world.services.media.list({ member: added.id })
  expect(media).toHaveLength(2)
  for (const { id, blurredId } of media)
    for (const one of [id, blurredId!]) expect(await world.services.media.open(one)).toMatchObject({ ok: true })
  const credential = await world.services.credentials.findByMember(added.id)
  expect(await world.services.passwords.verify(credential!.passwordHash!, added.password, 'test')).toBe(true)
  expect((await world.services.sessions.find(added.token))?.member).toBe(added.id)
})
