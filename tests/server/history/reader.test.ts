import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { START } from '../../../domain/shared/recorded.ts'
import { type HistoryReader, linesOf } from '../../../projections/history/reader.ts'
import { actingAs } from '../../../usecases/acting.ts'
import { report } from '../../../usecases/safety/report.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

const NOBODY: ReadonlySet<string> = new Set()
const PAGE = { limit: 50 }
let world: World
let history: HistoryReader
let ann: Person
let ben: Person
let erased: Person
let beforeEdit: Date

beforeAll(async () => {
  world = await startWorld({ web: false })
  history = world.core.history
  ;[ann, ben, erased] = [await world.member('Ann'), await world.member('Ben'), await world.member('Eve')]
  await world.match(ann, ben)
  await world.match(ann, erased)
  await world.settled()
  await world.sendMessage(ann, ben, 'A secret of Ann')
  await world.sendMessage(ben, ann, 'A secret of Ben')
  await world.sendMessage(erased, ann, 'A secret of Eve')
  await world.settled()
  await report(actingAs(world.context, ben.id), {
    target: ann.id,
    reason: 'Rude',
    message: undefined,
    commandId: randomUUID(),
  })
  beforeEdit = new Date()
  await until('the clock moves', () => new Date() > beforeEdit)
  await world.edit(ann, { bio: 'A bio of Ann', visibilityMode: 'limited' })
  await world.core.keys.destroy(erased.id)
  await world.account(erased, 'EraseAccount')
  await world.settled()
}, 120_000)
afterAll(() => world.stop())

const shownOf = (events: Awaited<ReturnType<HistoryReader['timeline']>>['events'], type: string) =>
  events.filter((event) => event.type === type).flatMap(({ fields }) => fields)

test('a history holds what stands on all streams of a member, newest first and in log order', async () => {
  const { events, more } = await history.timeline(ann.id, PAGE, NOBODY)
  expect(more).toBe(false)
  const kinds = ['email', 'gallery', 'member', 'pair', 'profile', 'report']
  expect([...new Set(events.map(({ kind }) => kind))].sort()).toEqual(kinds)
  const positions = events.map(({ position }) => position)
  expect(positions).toEqual([...positions].sort().reverse())
  expect((await history.account(ann.id))?.kinds.map(({ kind }) => kind)).toEqual(kinds)
  const [sent] = events.filter(({ type }) => type === 'MessageSent')
  expect(sent?.meta).toMatchObject({ actor: expect.any(String), commandId: expect.any(String) })
})

test('pages join without a gap, both ways, and filters leave out the rest', async () => {
  const all = (await history.timeline(ann.id, PAGE, NOBODY)).events.map(({ id }) => id)
  const first = await history.timeline(ann.id, { limit: 4 }, NOBODY)
  const last = first.events[3]!
  const second = await history.timeline(ann.id, { limit: 4, before: last.position }, NOBODY)
  expect([...first.events, ...second.events].map(({ id }) => id)).toEqual(all.slice(0, 8))
  const back = await history.timeline(ann.id, { limit: 4, after: second.events[0]!.position }, NOBODY)
  expect(back.events.map(({ id }) => id)).toEqual(all.slice(0, 4))
  expect(first.more && !back.more).toBe(true)
  const pairs = await history.timeline(ann.id, { limit: 50, kinds: ['pair'] }, NOBODY)
  expect(new Set(pairs.events.map(({ kind }) => kind))).toEqual(new Set(['pair']))
  const later = await history.timeline(ann.id, { limit: 50, from: beforeEdit }, NOBODY)
  expect(later.events.every(({ at }) => new Date(at) >= beforeEdit)).toBe(true)
  expect(later.events.length).toBeGreaterThan(0)
  const earlier = await history.timeline(ann.id, { limit: 50, until: beforeEdit }, NOBODY)
  expect(earlier.events.length + later.events.length).toBe(all.length)
})

test('sealed fields are open for those alone who were opened, and erased ones say since when', async () => {
  const closed = await history.timeline(ann.id, PAGE, NOBODY)
  expect(JSON.stringify(closed)).not.toMatch(/secret|Rude|bio of/)
  const opened = await history.timeline(ann.id, PAGE, new Set([ann.id]))
  const text = JSON.stringify(opened)
  for (const words of ['A secret of Ann', 'Rude', 'A bio of Ann']) expect(text).toContain(words)
  // The evidence of a report opens with whom it is about; the other's messages stay sealed elsewhere.
  const shown = JSON.stringify(shownOf(opened.events, 'MessageSent'))
  expect(shown).toContain('A secret of Ann')
  expect(shown).not.toMatch(/secret of (Ben|Eve)/)
  const since = (await history.account(erased.id))?.erasedAt
  expect(since).toBeTruthy()
  expect(shownOf(closed.events, 'MessageSent')).toContainEqual({ name: 'text', shown: { hidden: 'erased', since } })
  expect(shownOf(closed.events, 'MessageSent')).toContainEqual({ name: 'text', shown: { hidden: 'sealed' } })
})

test('the state of a stream at any revision and moment is the fold of the rules', async () => {
  const stream = `profile-${ann.id}`
  const leaf = async (path: string, moment: Parameters<HistoryReader['state']>[1], opened = new Set([ann.id])) =>
    (await history.state(stream, moment, opened))?.leaves.find((one) => one.path === path)?.shown
  expect(await leaf('bio', { revision: 0 })).toEqual({ value: '' })
  expect(await leaf('bio', { at: beforeEdit })).toEqual({ value: '' })
  expect(await leaf('bio', null)).toEqual({ value: 'A bio of Ann' })
  expect(await leaf('bio', null, new Set())).toEqual({ hidden: 'sealed' })
  expect(await leaf('started', { at: new Date(0) })).toEqual({ value: false })
  expect((await history.state(stream, { revision: 0 }, NOBODY))?.revision).toBe(0)
  expect(await history.state('nothing-here', null, NOBODY)).toBeNull()
})

test('the difference of two moments names what changed, and seals what is sealed', async () => {
  const between = { from: { at: beforeEdit }, to: null }
  const difference = await history.difference(`profile-${ann.id}`, between, NOBODY)
  expect(difference?.changes).toEqual([
    { path: 'bio', before: { value: '' }, after: { hidden: 'sealed' } },
    { path: 'visibilityMode', before: { value: 'auto' }, after: { value: 'limited' } },
  ])
  const opened = await history.difference(`profile-${ann.id}`, between, new Set([ann.id]))
  expect(opened?.changes[0]?.after).toEqual({ value: 'A bio of Ann' })
})

test('the state and the difference of an erased member say what is erased and since when, not that it was empty', async () => {
  const [stream, gallery] = [`profile-${erased.id}`, `gallery-${erased.id}`]
  const since = (await history.account(erased.id))?.erasedAt
  const gone = { hidden: 'erased', since }
  for (const opened of [NOBODY, new Set([erased.id])]) {
    const shown = async (of: string, path: string) =>
      (await history.state(of, null, opened))?.leaves.find((leaf) => leaf.path === path)?.shown
    for (const path of ['firstName', 'vibe', 'preferences.ageRange']) expect(await shown(stream, path)).toEqual(gone)
    expect(await shown(stream, 'visibility')).toEqual({ value: 'active' })
    for (const path of ['items', 'avatar']) expect(await shown(gallery, path)).toEqual(gone)
    const whole = await history.difference(gallery, { from: { at: new Date(0) }, to: null }, opened)
    expect(whole?.changes.find(({ path }) => path === 'avatar')).toEqual({
      path: 'avatar',
      before: { value: null },
      after: gone,
    })
  }
})

/** Every row about a member, of all models or of one. */
async function rowsOf(person: Person, opened = NOBODY, only?: string) {
  const { models } = await history.compare(person.id, opened)
  const names = models.map(({ name }) => name).filter((name) => !only || name === only)
  const shown = names.map((model) => history.compare(person.id, opened, { model, skip: 0, limit: 1_000 }))
  return (await Promise.all(shown)).flatMap(({ rows }) => rows ?? [])
}

test('every read model equals a replay of the member’s events, and each row names those that made it', async () => {
  for (const person of [ann, ben, erased]) {
    const { models } = await history.compare(person.id, NOBODY)
    expect(models.map(({ name, verdict }) => [name, verdict])).toEqual(models.map(({ name }) => [name, 'equal']))
    expect(models.every(({ position }) => position && position > START)).toBe(true)
  }
  const rows = await rowsOf(ann)
  expect(new Set(rows.map(({ table }) => table))).toEqual(
    new Set([
      'account',
      'profile',
      'gallery_item',
      'relation',
      'conversation',
      'message',
      'notification',
      'candidate',
      'report',
    ]),
  )
  expect(JSON.stringify(rows)).not.toMatch(/secret|Rude|bio of/)
  const account = rows.find(({ table }) => table === 'account')
  expect(account?.madeBy.map(({ type }) => type)).toEqual(['MemberRegistered', 'ProfileStarted'])
  const room = rows.find(
    ({ table, madeBy }) => table === 'conversation' && madeBy.some((e) => e.type === 'AccountErased'),
  )
  expect(room?.columns.find(({ name }) => name === 'gone')?.shown).toEqual({ value: true })
  const named = await history.named(account?.madeBy ?? [], NOBODY)
  expect(named.map(({ type }) => type)).toEqual(['MemberRegistered', 'ProfileStarted'])
})

test('a row that was changed by hand, taken away or put there is found', async () => {
  const query = (text: string) => world.core.storage.pool.query(text)
  await query(`update p_profiles_v3.profile set bio = 'Forged' where member = '${ann.id}'`)
  await query(`delete from p_accounts_v2.account where member = '${ben.id}'`)
  try {
    const { models } = await history.compare(ann.id, NOBODY)
    expect(models.filter(({ verdict }) => verdict !== 'equal')).toMatchObject([{ name: 'profiles', wrong: 1 }])
    const [row] = await rowsOf(ann, new Set([ann.id]), 'profiles')
    expect(row?.verdict).toBe('differs')
    expect(row?.columns.filter(({ differs }) => differs)).toEqual([
      { name: 'bio', differs: true, shown: { value: 'Forged' } },
    ])
    expect((await rowsOf(ben, NOBODY, 'accounts')).map(({ verdict }) => verdict)).toEqual(['missing'])
  } finally {
    await query(`update p_profiles_v3.profile set bio = 'A bio of Ann' where member = '${ann.id}'`)
  }
})

test('rows come a page at a time, and one alone by its id', async () => {
  const all = await rowsOf(ann, NOBODY, 'conversations')
  expect(all).toHaveLength(3)
  const first = await history.compare(ann.id, NOBODY, { model: 'conversations', skip: 0, limit: 2 })
  const rest = await history.compare(ann.id, NOBODY, { model: 'conversations', skip: 2, limit: all.length })
  expect([first.more, rest.more]).toEqual([true, false])
  expect([...(first.rows ?? []), ...(rest.rows ?? [])]).toEqual(all)
  const row = all[2]?.id ?? ''
  const one = await history.compare(ann.id, NOBODY, { model: 'conversations', row, skip: 0, limit: 1 })
  expect(one.rows).toEqual([all[2]])
  expect((await history.compare(ann.id, NOBODY, { model: 'nothing', skip: 0, limit: 1 })).rows).toBeNull()
})

async function exported({ id }: Person): Promise<string[]> {
  const whole = await history.whole([id], {}, NOBODY)
  let text = ''
  for await (const lines of linesOf(whole)) text += lines
  const lines = text.trimEnd().split('\n')
  expect(lines).toHaveLength(whole.events)
  return lines
}

test('an export is the same bytes twice, and holds nothing that is sealed', async () => {
  const [one, two] = [await exported(ann), await exported(ann)]
  expect(one.join('\n')).toBe(two.join('\n'))
  expect(one).toHaveLength((await history.timeline(ann.id, PAGE, NOBODY)).events.length)
  expect(one.join('')).not.toContain('secret')
  for (const line of one) expect(JSON.parse(line)).toHaveProperty('fields')
})
