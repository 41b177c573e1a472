import { afterAll, beforeAll, expect, test } from 'vitest'
import { isErased } from '../../../domain/shared/personal.ts'
import { createCodec } from '../../../eventstore/codec.ts'
import { createKeyRing } from '../../../eventstore/keys.ts'
import { allProjections } from '../../../projections/all-projections.ts'
import { administer } from '../../../server/tools/admin/commands.ts'
import { createEvidenceSweep, EVIDENCE_MS } from '../../../server/tools/erasure/evidence.ts'
import { reapplyErasures } from '../../../server/tools/erasure/reapply.ts'
import { actingAs } from '../../../usecases/acting.ts'
import { report } from '../../../usecases/safety/report.ts'
import { compareWithTables, foldOfLog } from '../../support/fold-of-log.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let ann: Person
let bea: Person
let passed = 0
const now = () => new Date(Date.now() + passed)

beforeAll(async () => {
  world = await startWorld({ web: false, now })
  ann = await world.member('Ann')
  bea = await world.member('Bea')
})
afterAll(() => world.stop())

const complain = async (reason: string) => {
  const made = await report(actingAs(world.context, ann.id), { target: bea.id, reason, commandId: world.newCommand() })
  await world.settled()
  return made.ok ? made.value.report : expect.fail('A report was refused.')
}
const sweep = () => createEvidenceSweep({ core: world.core, erasure: world.services.erasure, now }).sweep()
const reportOf = (id: string) => administer(world.product, { words: ['report', id], yes: false })
const stream = () => world.core.log.read(`report-${ann.id}_${bea.id}`)

test('what was reported can be read for 180 days from the first report on, and never after', async () => {
  const old = await complain('Kettlewick is rude')
  passed += 3_600_000
  expect(await complain('Kettlewick again')).toBe(old)
  passed += EVIDENCE_MS - 2 * 3_600_000
  const young = await complain('Another matter')
  expect(await sweep()).toBe(0)
  expect((await reportOf(old)).join()).toContain('Kettlewick')

  passed += 3_600_000
  expect(await sweep()).toBe(1)
  await world.settled()
  expect((await reportOf(old)).join()).not.toContain('Kettlewick')
  expect((await reportOf(old)).join()).toContain('The evidence was erased.')
  expect((await reportOf(young)).join()).toContain('Another matter')

  const head = await world.core.log.head()
  expect(await sweep()).toBe(0)
  expect(await world.core.log.head()).toBe(head)
})

test('whoever reads the log with new eyes finds the words of the other case alone', async () => {
  const codec = createCodec(createKeyRing(world.core.storage.pool, world.secrets.masterKey))
  const events = await codec.decode(await stream())
  expect(events.map((event) => [event.type, 'reason' in event && !isErased(event.reason)])).toEqual([
    ['MemberReported', false],
    ['ReportAmended', false],
    ['MemberReported', true],
    ['EvidenceDestroyed', false],
  ])
})

test('the read models equal a fold of what is left, and a start has nothing to do', async () => {
  const { log, codec, storage } = world.core
  expect(await compareWithTables(storage.pool, allProjections, await foldOfLog(log, codec, allProjections))).toEqual([])
  const [first] = await stream()
  expect(await world.services.erasure.ledger.read()).toContain(first!.data.report)
  expect(await reapplyErasures({ ...world.product, now })).toEqual({ again: 0, finished: 0 })
  expect(await world.services.erasure.listUnsettled()).toEqual([])
})
