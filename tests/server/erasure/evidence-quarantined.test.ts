import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MemberId, ReportId } from '../../../domain/shared/ids.ts'
import { idFrom } from '../../../eventstore/ids.ts'
import type { Projection } from '../../../projections/projection.ts'
import { reports } from '../../../projections/reports/project.ts'
import { AT, type EngineRig, member, startEngineRig } from '../../projections/engine-rig.ts'

let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const failing = (): never => {
  throw new Error('not yet')
}
const failsAtSecondReports: Projection = { ...reports, when: { ...reports.when, ReportAmended: failing } }

test('the words of a case go with its evidence, whatever of it waits in quarantine', async () => {
  const projector = rig.project([failsAtSecondReports])
  await projector.start()
  const [by, target] = [member('Ann'), member('Bea')] as [MemberId, MemberId]
  const whose = { report: idFrom('toy report', 'one') as ReportId, by, target, at: AT }
  const reported = { ...whose, message: null, media: null, evidence: { profile: null, messages: [] } }
  const last = await rig.append(
    `report-${by}_${target}`,
    { type: 'MemberReported', ...reported, reason: 'Kettlewick is rude' },
    { type: 'ReportAmended', ...reported, reason: 'again' },
    { type: 'EvidenceDestroyed', ...whose },
  )
  expect(await projector.waitFor(last, undefined, 10_000)).toBe(true)
  const { rows } = await rig.pool.query('select reason, evidence from read.report')
  expect(rows).toEqual([{ reason: '', evidence: false }])
})
