import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditDecider } from '../../domain/audit/decider.ts'
import { memberDecider } from '../../domain/identity/member.ts'
import { ROLES, type Role } from '../../domain/identity/roles.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import { type Cast, canaryOf, castOf, RELATIONS } from './matrix/relations.ts'

let world: World
let cast: Cast
let me: Person

beforeAll(async () => {
  world = await startWorld()
  cast = await castOf(world, ['reader'])
  me = cast.callers.get('reader') as Person
}, 240_000)
afterAll(() => world?.stop())

async function role(type: 'GrantRole' | 'RevokeRole', of: Role, member = me.id): Promise<void> {
  const command = { type, member, role: of, by: 'admin:test', at: new Date() } as const
  await world.core.dispatch(memberDecider, command, { commandId: randomUUID(), actor: 'admin:test' })
}

const get = (path: string) => world.page(path, { as: me })
const post = (path: string, form: Record<string, string>) =>
  world.page(path, { as: me, method: 'POST', body: new URLSearchParams(form) })
const audited = async () => world.core.codec.decode(await world.core.log.read(`audit-${me.id}`))
const target = () => cast.idOf('matched', me)
const STAFF_PATHS = [
  '/audit',
  '/audit/:id',
  '/audit/:id/state',
  '/audit/:id/rows',
  '/audit/:id/export',
  '/admin/projections',
]
const PARTS = ['', '/state', '/rows']

test('the page of read models names what it shows of each', async () => {
  await role('GrantRole', 'developer')
  const page = await (await get('/admin/projections')).text()
  const [models = ''] = /<caption[^>]*>Read models and their status.*?<\/thead>/s.exec(page) ?? []
  expect([...models.matchAll(/<th [^>]*>([^<]*)<\/th>/g)].map(([, heading]) => heading)).toEqual([
    'Read model',
    'Version',
    'Status',
    'Position',
    'Lag',
    'Events/s',
    'Disk',
    'Quarantine',
    'Last error',
  ])
  await role('RevokeRole', 'developer')
})

describe('a role', () => {
  test('opens its own pages and no others, and a revocation holds at once', async () => {
    const pages = { auditor: `/audit/${target()}`, developer: '/admin/projections' }
    for (const granted of ROLES) {
      await role('GrantRole', granted)
      for (const [wanted, path] of Object.entries(pages))
        expect([granted, path, (await get(path)).status]).toEqual([granted, path, granted === wanted ? 200 : 302])
      await role('RevokeRole', granted)
      for (const path of Object.values(pages))
        expect([granted, path, (await get(path)).status]).toEqual([granted, path, 302])
    }
  })

  test('of a member who is out of sight or shut out opens nothing', async () => {
    const [away, barred] = [await world.join('Away'), await world.join('Barred')]
    for (const { id } of [away, barred]) await role('GrantRole', 'auditor', id)
    await world.account(away, 'Deactivate')
    await world.account(barred, 'Suspend')
    await world.settled()
    for (const as of [away, barred]) expect((await world.page('/audit', { as })).status).toBe(302)
  })

  test.each(STAFF_PATHS)('that one has not: %s is answered as a path that is not there', async (path) => {
    const there = path.replace(':id', target())
    const before = await audited()
    expect(await wholeAnswer('GET', there, me)).toMatchObject({ status: 302, location: '/', body: '' })
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE'])
      for (const as of [me, undefined])
        for (const end of ['', '.data']) {
          const nowhere = await wholeAnswer(method, `/nowhere${end}`, as)
          expect([method, end, await wholeAnswer(method, there + end, as)]).toEqual([method, end, nowhere])
        }
    expect(await audited()).toEqual(before)
  })
})

/** All that an answer contains, but for what no two answers share. */
async function wholeAnswer(method: string, path: string, as: Person | undefined) {
  const body = /^(GET|HEAD)$/.test(method) ? {} : { body: new URLSearchParams({ intent: 'x' }) }
  const answer = await world.page(path, { method, ...body, ...(as && { as }) })
  const headers = [...answer.headers].map(([name, value]) => [name, ONE_OFF.has(name) ? '' : nonceless(value)])
  return {
    status: answer.status,
    headers,
    body: nonceless(await answer.text()),
    location: answer.headers.get('Location'),
  }
}
const ONE_OFF = new Set(['date', 'x-request-id'])
const nonceless = (text: string) => text.replace(/'nonce-[^']+'/g, '').replace(/nonce="[^"]+"/g, '')

describe('an auditor', () => {
  beforeAll(() => role('GrantRole', 'auditor'))

  test('sees every account, whoever it is, and no word that is sealed', async () => {
    for (const relation of RELATIONS) {
      const id = cast.idOf(relation, me)
      for (const part of PARTS) {
        const answer = await get(`/audit/${id}${part}`)
        expect([relation, part, answer.status]).toEqual([relation, part, relation === 'unknown' ? 404 : 200])
        expect(await answer.text()).not.toContain(canaryOf(relation))
      }
    }
  })

  test('finds an account by id, address and stream', async () => {
    const found = { Location: `/audit/${me.id}` }
    for (const asked of [me.id, me.email, `profile-${me.id}`]) {
      const answer = await get(`/audit?q=${encodeURIComponent(asked)}`)
      expect([asked, answer.headers.get('Location')]).toEqual([asked, found.Location])
    }
    const [a, b] = [me.id, target()].sort()
    const both = await (await get(`/audit?q=pair-${a}_${b}`)).text()
    expect(both).toContain(`/audit/${a}`)
    expect(both).toContain(`/audit/${b}`)
    const before = (await audited()).length
    expect((await get('/audit?q=Nobody@example.com')).status).toBe(404)
    expect((await audited()).slice(before)).toMatchObject([
      { type: 'AccountSearched', asked: null, address: null, found: 0 },
    ])
  })

  test('leaves a fact of every look, before it is answered', async () => {
    const before = (await audited()).length
    await get(`/audit/${target()}`)
    await get(`/audit/${target()}/state?fromRevision=0`)
    await get(`/audit/${target()}/rows?model=accounts`)
    await get(`/audit/${'a'.repeat(24)}`)
    const looks = (await audited()).slice(before) as { type: string; view: string; member: string }[]
    expect(looks.map(({ type, view, member }) => [type, view, member])).toEqual(
      ['timeline', 'difference', 'rows'].map((view) => ['AccountViewed', view, target()]),
    )
  })

  test('opens sealed fields with a reason that is recorded, for that member alone', async () => {
    const path = `/audit/${target()}`
    const refused = await post(path, { intent: 'reveal', reason: '  ' })
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('Say why you need to read what is sealed.')
    const tooLong = 'Because '.repeat(200)
    const kept = await (await post(path, { intent: 'reveal', reason: tooLong })).text()
    expect(kept).toContain('One thing needs another look')
    expect(kept).toContain(tooLong)
    const sent = { intent: 'reveal', reason: 'A complaint', commandId: randomUUID() }
    const done = await post(path, sent)
    expect([done.status, done.headers.get('Location')]).toEqual([302, path])
    const again = await post(path, { ...sent, reason: 'Another complaint' })
    expect(again.status).toBe(409)
    expect(await again.text()).toContain('Another complaint')
    expect(await (await get(path)).text()).toContain(canaryOf('matched'))
    expect(await (await get(`${path}/state?stream=profile-${target()}`)).text()).toContain(canaryOf('matched'))
    const other = cast.idOf('likedMe', me)
    expect(await (await get(`/audit/${other}`)).text()).not.toContain(canaryOf('likedMe'))
    const facts = (await audited()) as { type: string; reason?: string }[]
    expect(facts.filter(({ type }) => type === 'FieldsRevealed').map(({ reason }) => reason)).toEqual(['A complaint'])
    const { revealed } = await world.core.loadState(auditDecider, me.id)
    expect(Object.keys(revealed)).toEqual([target()])
  })

  test('exports the same bytes twice', async () => {
    const path = `/audit/${cast.idOf('likedByMe', me)}/export`
    const [one, two] = [await post(path, {}), await post(path, {})]
    expect(one.headers.get('Content-Disposition')).toContain('.ndjson')
    const text = await one.text()
    expect(text).toBe(await two.text())
    const lines = text.trim().split('\n')
    expect(lines.length).toBeGreaterThan(5)
    const recorded = (await audited()).filter(({ type }) => type === 'HistoryExported')
    expect(recorded.map((fact) => 'events' in fact && fact.events)).toEqual([lines.length, lines.length])
    expect(text).not.toContain(canaryOf('likedByMe'))
    const pairs = await (await post(path, { kind: 'pair' })).text()
    expect(
      new Set(
        pairs
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).kind),
      ),
    ).toEqual(new Set(['pair']))
  })

  test('sees that an account was erased, and when', async () => {
    const text = await (await get(`/audit/${cast.idOf('gone', me)}`)).text()
    expect(text).toMatch(/Erased on <!-- -->|Erased on \d{4}-/)
  })
})
