import { describe, test } from 'vitest'
import { inboxDecider } from '../../domain/inbox/decider.ts'
import type { InboxEvent } from '../../domain/inbox/events.ts'
import type { SafetyCommand } from '../../domain/safety/commands.ts'
import { MERGE_MS, safetyDecider } from '../../domain/safety/decider.ts'
import type { SafetyEvent } from '../../domain/safety/events.ts'
import { addMs } from '../../domain/shared/dates.ts'
import { given } from '../support/given.ts'
import { ann, bea, notificationId, reportId, T0 } from '../support/people.ts'
import { positionAt } from '../support/recorded.ts'

const at = T0

describe('a notifications centre', () => {
  const one = { member: ann, notification: notificationId('n'.repeat(24)), at }
  const read: InboxEvent = { type: 'NotificationRead', ...one }
  const removed: InboxEvent = { type: 'NotificationRemoved', ...one }
  const all = (n: number): InboxEvent => ({ type: 'AllNotificationsRead', member: ann, upTo: positionAt(n), at })
  const readAll = (n: number) => ({ type: 'ReadAllNotifications', member: ann, upTo: positionAt(n), at }) as const
  test('notes what was read, once', () => {
    given(inboxDecider)
      .when({ type: 'ReadNotification', ...one })
      .then(read)
    given(inboxDecider, read)
      .when({ type: 'ReadNotification', ...one })
      .thenNothing()
  })
  test('notes what was removed, once, and no reading after it', () => {
    given(inboxDecider, read)
      .when({ type: 'RemoveNotification', ...one })
      .then(removed)
    given(inboxDecider, removed)
      .when({ type: 'RemoveNotification', ...one })
      .thenNothing()
    given(inboxDecider, removed)
      .when({ type: 'ReadNotification', ...one })
      .thenNothing()
  })
  test('is read up to a position in the log, which only moves on', () => {
    given(inboxDecider).when(readAll(5)).then(all(5))
    given(inboxDecider, all(5)).when(readAll(5)).thenNothing()
    given(inboxDecider, all(5)).when(readAll(4)).thenNothing()
    given(inboxDecider, all(5)).when(readAll(6)).then(all(6))
  })
})

describe('a report', () => {
  const pointed = { message: null, media: null }
  const facts = { by: ann, target: bea, ...pointed, reason: 'Rude', evidence: { profile: null, messages: [] }, at }
  const report = (id: string, when = at): SafetyCommand => ({
    type: 'Report',
    ...facts,
    report: reportId(id),
    at: when,
  })
  const opened = (id: string): SafetyEvent => ({ type: 'MemberReported', ...facts, report: reportId(id) })
  const close: SafetyCommand = { type: 'CloseReport', by: ann, target: bea, outcome: 'no-action', at }
  const closed: SafetyEvent = {
    type: 'ReportClosed',
    report: reportId('one'),
    by: ann,
    target: bea,
    outcome: 'no-action',
    at,
  }
  test('opens a case, and nobody reports themselves', () => {
    given(safetyDecider).when(report('one')).then(opened('one'))
    given(safetyDecider)
      .when({ ...report('one'), target: ann } as SafetyCommand)
      .thenRefused('self')
  })
  test('loses its evidence once, open or closed, and stays a case', () => {
    const destroy: SafetyCommand = { type: 'DestroyEvidence', report: reportId('one'), by: ann, target: bea, at }
    const gone: SafetyEvent = { type: 'EvidenceDestroyed', report: reportId('one'), by: ann, target: bea, at }
    given(safetyDecider, opened('one')).when(destroy).then(gone)
    given(safetyDecider, opened('one'), closed).when(destroy).then(gone)
    given(safetyDecider, opened('one'), gone).when(destroy).thenNothing()
    given(safetyDecider).when(destroy).thenNothing()
    given(safetyDecider, opened('one'), gone).when(close).then(closed)
  })
  test('within a day adds to the open case, after it opens another', () => {
    const soon = addMs(at, MERGE_MS - 1)
    const amended: SafetyEvent = { type: 'ReportAmended', ...facts, report: reportId('one'), at: soon }
    given(safetyDecider, opened('one')).when(report('two', soon)).then(amended)
    const late = addMs(at, MERGE_MS)
    given(safetyDecider, opened('one'), amended)
      .when(report('two', late))
      .then({ ...opened('two'), at: late } as SafetyEvent)
  })
  test('is closed once', () => {
    given(safetyDecider, opened('one')).when(close).then(closed)
    given(safetyDecider, opened('one'), closed).when(close).thenRefused('no-report')
    given(safetyDecider).when(close).thenRefused('no-report')
    given(safetyDecider, opened('one'), closed).when(report('two')).then(opened('two'))
  })
})
