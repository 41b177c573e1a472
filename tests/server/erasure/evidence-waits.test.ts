import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReportId } from '../../../domain/shared/ids.ts'
import { rebuild } from '../../../projections/engine/rebuild.ts'
import { reports } from '../../../projections/reports/project.ts'
import { createEvidenceSweep, EVIDENCE_MS } from '../../../server/tools/erasure/evidence.ts'
import { actingAs } from '../../../usecases/acting.ts'
import { closeCase } from '../../../usecases/safety/close-case.ts'
import { report } from '../../../usecases/safety/report.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

const HOUR = 3_600_000
let world: World
let ann: Person
let bea: Person
let passed = 0
const now = () => new Date(Date.now() + passed)

beforeAll(async () => {
  world = await startWorld({ web: false, now })
  ann = await world.member('Ann')
  bea = await world.member('Bea')
  await quarantineCases()
})
afterAll(() => world.stop())

/** What belongs to the two and cannot be read: their cases wait behind it. */
async function quarantineCases(): Promise<void> {
  const id = randomUUID()
  const metadata = { commandId: id, correlationId: id, causationId: id, actor: 'system', schema: 1 }
  const event = { id, type: 'MemberReported', data: { odd: 1 }, metadata }
  await world.core.log.append(`odd-${ann.id}_${bea.id}`, 'no_stream', [event])
}

async function complain(reason: string): Promise<ReportId> {
  const made = await report(actingAs(world.context, ann.id), { target: bea.id, reason, commandId: world.newCommand() })
  return made.ok ? made.value.report : expect.fail('A report was refused.')
}

const close = (id: ReportId) =>
  closeCase(
    { ...world.context, actor: 'admin:test' } as Parameters<typeof closeCase>[0],
    { id, reporter: ann.id, target: bea.id },
    'no-action',
  )
const sweep = () => createEvidenceSweep({ core: world.core, erasure: world.services.erasure, now }).sweep()

/** Which of the cases have lost their keys. */
async function destroyed(cases: readonly ReportId[]): Promise<boolean[]> {
  const { rows } = await world.core.storage.pool.query<{ subject: ReportId }>(
    `select subject from app.subject_key where wrapped = '' and subject = any($1)`,
    [cases],
  )
  return cases.map((id) => rows.some(({ subject }) => subject === id))
}

const ends = async () => {
  const all = await world.core.log.read(`report-${ann.id}_${bea.id}`)
  return all.filter(({ type }) => type === 'EvidenceDestroyed').map(({ data }) => data.report)
}

test('a case whose report waits in quarantine ends after its days, and so does the one that follows its close', async () => {
  const first = await complain('Kettlewick is rude')
  await close(first)
  passed += HOUR
  const second = await complain('Kettlewick again')
  await world.settled()
  expect((await world.core.storage.pool.query('select from read.report')).rowCount).toBe(0)

  passed += EVIDENCE_MS - 2 * HOUR
  expect(await sweep()).toBe(0)
  passed += HOUR + HOUR / 2
  expect(await sweep()).toBe(1)
  expect(await destroyed([first, second])).toEqual([true, false])
  passed += HOUR
  expect(await sweep()).toBe(1)
  expect(await destroyed([first, second])).toEqual([true, true])
  expect(await ends()).toEqual([first, second])

  const head = await world.core.log.head()
  expect(await sweep()).toBe(0)
  expect(await world.core.log.head()).toBe(head)
  expect(await world.services.erasure.listUnsettled()).toEqual([])
})

test('a case that still waits there once its read model is made anew ends too', async () => {
  const third = await complain('Kettlewick once more')
  await world.settled()
  const { log, codec, keys, storage } = world.core
  const deps = { log, codec, keys, pool: storage.pool, signal: new AbortController().signal }
  expect(await rebuild(deps, { ...reports, version: reports.version + 1 })).toMatchObject({ swapped: true })
  passed += EVIDENCE_MS + HOUR
  expect(await sweep()).toBe(1)
  expect(await destroyed([third])).toEqual([true])
})
