import { describe, expect, test } from 'vitest'
import { auditDecider, REVEALED_MS } from '../../domain/audit/decider.ts'
import type { MemberEvent } from '../../domain/identity/events.ts'
import { memberDecider } from '../../domain/identity/member.ts'
import { addMs } from '../../domain/shared/dates.ts'
import { given } from '../support/given.ts'
import { ann, bea, minute, T0 } from '../support/people.ts'

const at = T0
const role = { member: ann, role: 'auditor' as const, by: 'admin:cli', at }
const registered = { type: 'MemberRegistered', member: ann, at } as MemberEvent
const granted: MemberEvent = { type: 'RoleGranted', ...role }
const revoked: MemberEvent = { type: 'RoleRevoked', ...role }
const rolesAfter = (...events: MemberEvent[]) => events.reduce(memberDecider.evolve, memberDecider.initial).roles

describe('a role', () => {
  test('is given and taken, and stays quiet when nothing changes', () => {
    given(memberDecider, registered)
      .when({ type: 'GrantRole', ...role })
      .then(granted)
    given(memberDecider, registered, granted)
      .when({ type: 'GrantRole', ...role })
      .thenNothing()
    given(memberDecider, registered, granted)
      .when({ type: 'RevokeRole', ...role })
      .then(revoked)
    given(memberDecider, registered)
      .when({ type: 'RevokeRole', ...role })
      .thenNothing()
  })
  test('is for members alone', () => {
    given(memberDecider)
      .when({ type: 'GrantRole', ...role })
      .thenRefused('unknown')
  })
  test('stands beside other roles until it is taken or the account is erased', () => {
    const other: MemberEvent = { ...granted, role: 'developer' } as MemberEvent
    expect(rolesAfter(registered, other, granted)).toEqual(['auditor', 'developer'])
    expect(rolesAfter(registered, other, granted, revoked)).toEqual(['developer'])
    expect(rolesAfter(registered, granted, { type: 'AccountErased', member: ann, at })).toEqual([])
  })
})

describe('an auditor', () => {
  const about = { auditor: bea, member: ann, at }
  test('leaves a fact at every look, however often', () => {
    const seen = { type: 'AccountViewed' as const, ...about, view: 'timeline' as const }
    given(auditDecider, seen)
      .when({ type: 'ViewAccount', ...about, view: 'timeline' })
      .then(seen)
  })
  test('opens the fields of one member for a while, with a reason', () => {
    const until = addMs(at, REVEALED_MS)
    const opened = { type: 'FieldsRevealed' as const, ...about, reason: 'A complaint', until }
    given(auditDecider)
      .when({ type: 'RevealFields', ...about, reason: 'A complaint' })
      .then(opened)
    expect([opened].reduce(auditDecider.evolve, auditDecider.initial).revealed).toEqual({ [ann]: until })
  })
  test('keeps a stream of their own, as the operator at a terminal does', () => {
    const command = { type: 'ExportHistory' as const, ...about, events: 3, at: minute(1) }
    expect(auditDecider.streamId(command)).toBe(bea)
    const search = { auditor: bea, asked: 'keyed', address: null, found: 0, at }
    given(auditDecider)
      .when({ ...search, type: 'SearchAccount' })
      .then({ ...search, type: 'AccountSearched' })
    expect(auditDecider.streamId({ ...command, auditor: 'admin:cli' })).toBe('cli')
  })
})
