import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { REVEALED_MS } from '../../../domain/audit/decider.ts'
import { addMs } from '../../../domain/shared/dates.ts'
import { noteExport } from '../../../usecases/audit/note-export.ts'
import { noteView } from '../../../usecases/audit/note-view.ts'
import { openedBy } from '../../../usecases/audit/opened-by.ts'
import { reveal } from '../../../usecases/audit/reveal.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { refusesNotes } from './refuses-notes.ts'

let world: World
let bea: Person
beforeAll(async () => {
  world = await startWorld({ web: false })
  bea = await world.member('Bea')
})
afterAll(() => world.stop())

/** What is recorded of an auditor, the oldest first. */
const recordOf = async (auditor: string) =>
  world.core.codec.decode(await world.core.log.read(`audit-${auditor === 'admin:cli' ? 'cli' : auditor}`))
const opens = (auditor: Person, commandId: string = randomUUID()) =>
  reveal(world.context, auditor.id, { member: bea.id, reason: 'A complaint', commandId })

test('a look and an export are facts of the one who looked, on a stream of their own', async () => {
  const ann = await world.member('Ann')
  for (const auditor of [ann.id, 'admin:cli'] as const) {
    await noteView(world.context, auditor, bea.id, 'timeline')
    await noteView(world.context, auditor, bea.id, 'timeline')
    await noteExport(world.context, auditor, bea.id, 12)
    const whose = { auditor, member: bea.id, meta: { actor: auditor, correlationId: world.context.requestId } }
    expect(await recordOf(auditor)).toMatchObject([
      { type: 'AccountViewed', view: 'timeline', ...whose },
      { type: 'AccountViewed', view: 'timeline', ...whose },
      { type: 'HistoryExported', events: 12, ...whose },
    ])
  }
})

test('a reason opens the sealed fields of one member, to who gave it and to nobody else, for a while', async () => {
  const [ann, cat] = [await world.member('Ann'), await world.member('Cat')]
  await opens(ann)
  const [fact] = await recordOf(ann.id)
  expect(fact).toMatchObject({ type: 'FieldsRevealed', member: bea.id, reason: 'A complaint' })
  const opened = await openedBy(world.context, ann.id)
  expect([...opened.keys()]).toEqual([bea.id])
  expect((await openedBy(world.context, cat.id)).size).toBe(0)
  const until = opened.get(bea.id) ?? expect.fail('nothing is open')
  expect(until).toEqual(addMs(fact && 'at' in fact ? fact.at : until, REVEALED_MS))
  const openAt = async (now: Date) => (await openedBy({ ...world.context, now: () => now }, ann.id)).size
  expect([await openAt(addMs(until, -1)), await openAt(until)]).toEqual([1, 0])
})

test('a reveal that is sent twice is one fact', async () => {
  const ann = await world.member('Ann')
  const commandId = randomUUID()
  for (const _ of [1, 2]) await opens(ann, commandId)
  expect(await recordOf(ann.id)).toHaveLength(1)
})

test('the reason is sealed in the log, by the key of who gave it', async () => {
  const ann = await world.member('Ann')
  await opens(ann)
  expect(JSON.stringify(await world.core.log.read(`audit-${ann.id}`))).not.toContain('A complaint')
})

test('a look that cannot be recorded is thrown, and a reveal refused, so that nothing is shown', async () => {
  const ann = await world.member('Ann')
  const context = refusesNotes(world)
  const asked = { member: bea.id, reason: 'A complaint', commandId: randomUUID() }
  for (const look of [() => noteView(context, ann.id, bea.id, 'state'), () => noteExport(context, ann.id, bea.id, 1)])
    await expect(look()).rejects.toThrow('A look could not be recorded: conflict')
  expect(await reveal(context, ann.id, asked)).toEqual({ ok: false, reason: 'conflict' })
  expect(await recordOf(ann.id)).toEqual([])
  expect((await openedBy(world.context, ann.id)).size).toBe(0)
})
