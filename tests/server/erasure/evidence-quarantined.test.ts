import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MemberId, ReportId } from '../../../domain/shared/ids.ts'
import { idFrom } from '../../../eventstore/ids.ts'
import { reports } from '../../../projections/reports/project.ts'
import { liveOf, refusing, retried } from '../../projections/engine/retry-rig.ts'
import { AT, type EngineRig, member, startEngineRig } from '../../projections/engine-rig.ts'

let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

test('the words of a case go with its evidence, whatever of it waits in quarantine, and a retry applies that', async () => {
  const { failing, refuse } = refusing(reports)
  const append = await liveOf(rig, failing)
  const [by, target] = [member('Ann'), member('Bea')] as [MemberId, MemberId]
  const whose = { report: idFrom('toy report', 'one') as ReportId, by, target, at: AT }
  const reported = { ...whose, message: null, media: null, evidence: { profile: null, messages: [] } }
  const stream = `report-${by}_${target}`
  refuse('ReportAmended')
  await append(
    stream,
    { type: 'MemberReported', ...reported, reason: 'Kettlewick is rude' },
    { type: 'ReportAmended', ...reported, reason: 'again' },
    { type: 'ReportClosed', ...whose, outcome: 'no-action' },
    { type: 'EvidenceDestroyed', ...whose },
  )
  const shown = async () => (await rig.pool.query('select reason, evidence, reports, status from read.report')).rows[0]
  expect(await shown()).toMatchObject({ reason: '', evidence: false, status: 'open' })
  refuse()
  expect(await retried(rig, failing, stream)).toMatchObject({ reason: null, incomplete: false })
  expect(await shown()).toEqual({ reason: '', evidence: false, reports: 2, status: 'no-action' })
  expect(await rig.wrongRows([reports])).toEqual([])
})
