import { afterAll, beforeAll, expect, test } from 'vitest'
import { administer } from '../../../server/tools/admin/commands.ts'
import { UsageError } from '../../../server/tools/cli/support/command.ts'
import { answerHistory, type HistoryRequest } from '../../../server/tools/history/ask.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let ann: Person
let beforeEdit: string

beforeAll(async () => {
  world = await startWorld({ web: false })
  ann = await world.member('Ann')
  const ben = await world.member('Ben')
  await world.match(ann, ben)
  await world.settled()
  await world.sendMessage(ann, ben, 'A secret of Ann')
  beforeEdit = new Date().toISOString()
  await until('the clock moves', () => new Date().toISOString() > beforeEdit)
  await world.edit(ann, { bio: 'A bio \u001b[31m of Ann' })
  await world.settled()
}, 120_000)
afterAll(() => world.stop())

async function ask(who: string, more: Partial<HistoryRequest> = {}): Promise<string> {
  const lines: string[] = []
  for await (const line of answerHistory(world.context, { who, format: 'text', ...more })) lines.push(line)
  return lines.join('\n')
}

test('a history is shown for an id, an address and a stream, sealed where it is sealed', async () => {
  const shown = await ask(ann.id)
  expect(shown).toBe(await ask(ann.email))
  for (const words of ['MemberRegistered', 'Matched', `profile-${ann.id}@1`, 'text: [sealed]', `by ${ann.id}`])
    expect(shown).toContain(words)
  expect(shown).not.toMatch(/secret|bio {2}of/)
  const stream = await ask(`profile-${ann.id}`)
  expect(stream).toContain('BioChanged')
  expect(stream).not.toContain('Matched')
  await expect(ask('nobody@example.com')).rejects.toThrow('Nobody is known')
  const searches = (await world.core.codec.decode(await world.core.log.read('audit-cli'))).filter(
    ({ type }) => type === 'AccountSearched',
  )
  expect(searches.map((search) => 'found' in search && search.found)).toEqual([1, 1, 1, 0])
})

test('a reason opens what is sealed, free of control characters, and stands in the log with the look', async () => {
  const shown = await ask(ann.id, { reveal: 'A complaint' })
  expect(shown).toContain('A secret of Ann')
  expect(shown).not.toContain('\u001b')
  await expect(ask(ann.id, { reveal: ' ' })).rejects.toThrow(UsageError)
  const facts = await world.core.codec.decode(await world.core.log.read('audit-cli'))
  expect(facts).toContainEqual(
    expect.objectContaining({ type: 'FieldsRevealed', reason: 'A complaint', member: ann.id }),
  )
  expect(facts.filter(({ type }) => type === 'AccountViewed').length).toBeGreaterThanOrEqual(2)
})

test('states and differences are shown for moments and revisions', async () => {
  const stream = `profile-${ann.id}`
  expect(await ask(stream, { revision: '0' })).toContain('bio: ""')
  expect(await ask(stream, { revision: '1' })).toContain('bio: [sealed]')
  const then = await ask(ann.id, { at: beforeEdit })
  expect(then).toContain(`member-${ann.id} after revision 0`)
  expect(then).toContain('bio: ""')
  expect(await ask(ann.id, { at: '2020-01-01' })).toBe('Nothing had happened by then.')
  expect(await ask(stream, { diff: ['0', '1'] })).toContain('bio: "" -> [sealed]')
  expect(await ask(ann.id, { diff: [beforeEdit, '2099-01-01'] })).toContain(`${stream}: after revision 0`)
  expect(await ask(stream, { diff: ['1', '1'] })).toBe('Nothing changed.')
})

test('NDJSON is the same bytes for the same question', async () => {
  const once = await ask(ann.id, { format: 'ndjson' })
  expect(await ask(ann.id, { format: 'ndjson' })).toBe(once)
  for (const line of once.split('\n')) expect(JSON.parse(line)).toHaveProperty('position')
  expect(await ask(ann.id, { format: 'ndjson', at: '1999-12-31' })).toBe('')
})

test('what makes no sense is refused before anything runs', async () => {
  const wrong: Partial<HistoryRequest>[] = [
    { at: 'yesterday' },
    { at: '2026-02-30' },
    { at: '3' },
    { revision: 'x' },
    { revision: '0' },
    { at: beforeEdit, revision: '0' },
    { diff: ['0', '1'] },
    { diff: ['a', 'b'] },
  ]
  for (const one of wrong) await expect(ask(ann.id, one), JSON.stringify(one)).rejects.toThrow(UsageError)
})

test('roles are given, listed and taken by the operator', async () => {
  const admin = async (...words: string[]) => {
    const lines = await administer(world.product, { words, yes: false })
    await world.settled()
    return lines.join('\n')
  }
  expect(await admin('roles')).toBe('Nobody has a role.')
  expect(await admin('grant', 'auditor', ann.email)).toBe(`${ann.id} has the role auditor from now on.`)
  expect(await admin('grant', 'auditor', ann.id)).toBe(`Nothing to do: ${ann.id} has the role auditor.`)
  await admin('grant', 'developer', ann.id)
  expect(await admin('roles')).toBe(`${ann.id}  auditor developer`)
  expect(await admin('revoke', 'auditor', ann.id)).toBe(`${ann.id} does not have the role auditor from now on.`)
  expect(await admin('roles')).toBe(`${ann.id}  developer`)
  for (const words of [
    ['grant', 'king', ann.id],
    ['grant', 'auditor'],
    ['roles', 'x'],
  ])
    await expect(async () => admin(...words)).rejects.toThrow(UsageError)
})
