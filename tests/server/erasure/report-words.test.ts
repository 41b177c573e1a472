import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allEvents, type DomainEvent } from '../../../domain/all-events.ts'
import type { EventDefinition } from '../../../domain/shared/event.ts'
import type { ReportId } from '../../../domain/shared/ids.ts'
import { isErased } from '../../../domain/shared/personal.ts'
import { createCodec } from '../../../eventstore/codec.ts'
import { createKeyRing } from '../../../eventstore/keys.ts'
import { allProjections } from '../../../projections/all-projections.ts'
import { administer } from '../../../server/tools/admin/commands.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { createEvidenceSweep, EVIDENCE_MS } from '../../../server/tools/erasure/evidence.ts'
import { randomId } from '../../../services/random-id.ts'
import { actingAs } from '../../../usecases/acting.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { report } from '../../../usecases/safety/report.ts'
import { compareWithTables, foldOfLog } from '../../support/fold-of-log.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

const SHOWN = 'Sells watches'
const WORDS = 'Quillfeather wants money'
let world: World
let ann: Person
let bea: Person
let passed = 0
const now = () => new Date(Date.now() + passed)

beforeAll(async () => {
  world = await startWorld({ web: false, now })
  ann = await world.member('Ann')
  bea = await world.member('Bea')
  await world.edit(bea, { bio: SHOWN })
  await world.settled()
})
afterAll(() => world.stop())

async function reports(by: Person): Promise<string> {
  const about = { target: bea.id, reason: WORDS, commandId: world.newCommand() }
  const made = await report(actingAs(world.context, by.id), about)
  await world.settled()
  return made.ok ? made.value.report : expect.fail('A report was refused.')
}

/** As the release before wrote it: all of it under the key of the case. */
async function reportsAsBefore(by: Person): Promise<string> {
  const { log, keys } = world.core
  const definitions = new Map<string, EventDefinition>(
    allEvents.map((one: EventDefinition) => [one.type, one.type === 'MemberReported' ? { ...one, writes: 3 } : one]),
  )
  const profile = { firstName: 'Bea', bio: SHOWN, photos: [] }
  const what = { message: null, media: null, reason: WORDS, evidence: { profile, messages: [] } }
  const id = randomId() as ReportId
  const event: DomainEvent = { type: 'MemberReported', report: id, by: by.id, target: bea.id, ...what, at: now() }
  const command = randomUUID()
  const meta = { commandId: command, correlationId: command, causationId: command, actor: by.id }
  const stream = `report-${by.id}_${bea.id}`
  await log.append(
    stream,
    'no_stream',
    await createCodec(keys, definitions).encode(stream, [event], [randomUUID()], meta),
  )
  await world.settled()
  return id
}

async function erases(who: Person): Promise<void> {
  expect(await eraseAccount(erasingOf({ ...world.product, now }, 'admin:test'), who.id)).toMatchObject({ ok: true })
  await world.settled()
}
const shown = async (...words: string[]) => (await administer(world.product, { words, yes: false })).join('\n')
/** As a process reads it that has no key yet. */
const decoded = async (by: Person) => {
  const { log, storage } = world.core
  const codec = createCodec(createKeyRing(storage.pool, world.secrets.masterKey))
  return codec.decode(await log.read(`report-${by.id}_${bea.id}`))
}

test('the words of a report go with their writer; what the screen showed stays', async () => {
  const id = await reports(ann)
  expect(await shown('report', id)).toContain(WORDS)
  expect(await shown('reports')).toContain(id)
  await erases(ann)

  const [event] = await decoded(ann)
  expect(event).toMatchObject({
    type: 'MemberReported',
    reason: { erased: true },
    evidence: { profile: { bio: SHOWN } },
  })
  const lines = await shown('report', id)
  expect(lines).not.toContain('Quillfeather')
  expect(lines).toContain('(erased)')
  expect(lines).toContain(SHOWN)
  expect(await shown('reports')).toMatch(new RegExp(`${id}.*\\(erased\\)`))
})

test('of a report that the release before wrote nothing shows the words once their writer is erased', async () => {
  const cat = await world.member('Cat')
  const id = await reportsAsBefore(cat)
  expect(await shown('report', id)).toContain(WORDS)
  await erases(cat)
  const all = `${await shown('report', id)}\n${await shown('reports')}`
  expect(all).not.toContain('Quillfeather')
  expect(all).toContain(SHOWN)
  const [event] = await decoded(cat)
  expect(event).toMatchObject({ reason: { erased: true }, evidence: { profile: { bio: SHOWN } } })
})

test('the case of an erased writer ends with its evidence after 180 days, and so do the words of one who stays', async () => {
  const dan = await world.member('Dan')
  const id = await reports(dan)
  passed += EVIDENCE_MS + 1
  const sweep = createEvidenceSweep({ core: world.core, erasure: world.services.erasure, now })
  expect(await sweep.sweep()).toBe(3)
  await world.settled()
  expect(await shown('report', id)).not.toContain('Quillfeather')
  const [event] = await decoded(dan)
  expect(event?.type === 'MemberReported' && [isErased(event.reason), isErased(event.evidence)]).toEqual([true, true])
  expect(await sweep.sweep()).toBe(0)
  const { log, codec, storage } = world.core
  expect(await compareWithTables(storage.pool, allProjections, await foldOfLog(log, codec, allProjections))).toEqual([])
})
