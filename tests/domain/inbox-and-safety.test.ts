import { describe, expect, test } from 'vitest'
import { hasId, inboxDecider } from '../../domain/inbox/decider.ts'
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
  const unread = (n: number) => ({ member: ann, upTo: positionAt(n), notifications: [one.notification], at })
  const all = (n: number): InboxEvent => ({ type: 'AllNotificationsRead', ...unread(n) })
  const readAll = (n: number) => ({ type: 'ReadAllNotifications', ...unread(n) }) as const
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
  test('folds a hundred thousand removals as one folds ten', () => {
    const removals = Array.from({ length: 100_000 }, (_, number): InboxEvent => {
      const notification = notificationId(String(number).padStart(24, '0'))
      return { ...removed, type: 'NotificationRemoved', notification }
    })
    const inbox = removals.reduce(inboxDecider.evolve, inboxDecider.initial)
    expect(hasId(inbox.removed, '0'.repeat(24))).toBe(true)
    expect(hasId(inbox.removed, 'n'.repeat(24))).toBe(false)
  })
  test('notes all that is unread at once, whatever position another log had, and nothing where nothing is', () => {
    given(inboxDecider).when(readAll(5)).then(all(5))
    given(inboxDecider, all(5)).when(readAll(4)).then(all(4))
    given(inboxDecider)
      .when({ ...readAll(5), notifications: [] })
      .thenNothing()
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
  const closing = { report: reportId('one'), by: ann, target: bea, outcome: 'no-action', at } as const
  const close: SafetyCommand = { type: 'CloseReport', ...closing }
  const closed: SafetyEvent = { type: 'ReportClosed', ...closing }
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
  test('of two open cases each is closed by itself, and the younger one grows', () => {
    const late = addMs(at, MERGE_MS)
    const both = [opened('one'), { ...opened('two'), at: late } as SafetyEvent]
    const second = { ...closing, report: reportId('two') }
    given(safetyDecider, ...both)
      .when(close)
      .then(closed)
    given(safetyDecider, ...both, closed)
      .when({ type: 'CloseReport', ...second })
      .then({ type: 'ReportClosed', ...second })
    given(safetyDecider, ...both, closed)
      .when(close)
      .thenRefused('no-report')
    given(safetyDecider, ...both, { type: 'ReportClosed', ...second })
      .when(close)
      .then(closed)
    given(safetyDecider, ...both)
      .when(report('three', late))
      .then({ type: 'ReportAmended', ...facts, report: reportId('two'), at: late })
  })
  test('is closed once', () => {
    given(safetyDecider, opened('one')).when(close).then(closed)
    given(safetyDecider, opened('one'), closed).when(close).thenRefused('no-report')
    given(safetyDecider).when(close).thenRefused('no-report')
    given(safetyDecider, opened('one'), closed).when(report('two')).then(opened('two'))
  })
})
