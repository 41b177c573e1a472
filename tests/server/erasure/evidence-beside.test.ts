import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEvidenceSweep, EVIDENCE_MS } from '../../../server/tools/erasure/evidence.ts'
import { actingAs } from '../../../usecases/acting.ts'
import { report } from '../../../usecases/safety/report.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let passed = 0
const now = () => new Date(Date.now() + passed)
beforeAll(async () => {
  world = await startWorld({ web: false, now })
})
afterAll(() => world.stop())

async function reports(by: Person, target: Person): Promise<string> {
  const reported = { target: target.id, reason: 'Rude', message: null, commandId: randomUUID() }
  const outcome = await report(actingAs(world.context, by.id), reported)
  await world.settled()
  passed += 1_000
  return outcome.ok ? outcome.value.report : expect.fail(outcome.reason)
}

/** Nobody can read the case any further. */
async function breakCase(by: Person, target: Person): Promise<void> {
  const id = randomUUID()
  const metadata = { commandId: id, correlationId: id, causationId: id, actor: by.id, schema: 1 }
  const event = { id, type: 'ReportClosed', data: { odd: 1 }, metadata }
  await world.core.log.append(`report-${by.id}_${target.id}`, 0, [event])
}

async function destroyed(reports: readonly string[]): Promise<string[]> {
  const { rows } = await world.core.storage.pool.query<{ subject: string }>(
    `select subject from app.subject_key where subject = any($1) and wrapped = ''`,
    [reports],
  )
  return rows.map(({ subject }) => subject).sort()
}

test('a case whose stream cannot be read keeps no other from its end, and is named', async () => {
  const [ann, bea, cat] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cat')]
  const cases = [await reports(ann, bea), await reports(cat, bea)]
  await breakCase(ann, bea)
  passed += EVIDENCE_MS
  const sweep = createEvidenceSweep({ core: world.core, erasure: world.services.erasure, now })
  await expect(sweep.sweep()).rejects.toThrow(/ReportClosed .*its fields do not fit/)
  expect(await destroyed(cases)).toEqual(cases.toSorted())
})
