import { randomUUID } from 'node:crypto'
import type { MemberCommand } from '../../domain/identity/commands.ts'
import { type MemberRefusal, memberDecider } from '../../domain/identity/member.ts'
import { safetyDecider } from '../../domain/safety/decider.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { listOpenReportsAbout } from '../../projections/reports/queries.ts'
import type { ReportRow } from '../../projections/reports/table.ts'
import type { Refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'

/** Who keeps members safe: `actor` is `admin:<name>`. */
export type Operating = Pick<Ports, 'dispatch' | 'now' | 'read' | 'sessions' | 'caughtUp' | 'requestId'> & {
  readonly actor: string
}
type ModerationRefused = Refused<MemberRefusal | 'conflict' | 'reused'>
export type Moderated = { ok: true; sessions: number } | ModerationRefused

/**
 * Shuts a member out: the account first, so that no new session can be opened, then every session and socket, then the
 * open cases about them. After an interruption the same call resumes where it stopped.
 */
export async function suspendAccount(
  context: Operating,
  member: MemberId,
  reason: string,
): Promise<{ ok: true; sessions: number; cases: number } | ModerationRefused> {
  const shut = await shutAccount(context, { type: 'Suspend', member, reason, at: context.now() })
  if (!shut.ok) return shut
  const cases = await listOpenReportsAbout(context.read, member)
  for (const one of cases) await closeCase(context, one, 'suspended')
  return { ...shut, cases: cases.length }
}

/** Takes a member out of sight and signs them out (ruling R25); they may come back by themselves. */
export function deactivateAccount(context: Operating, member: MemberId): Promise<Moderated> {
  return shutAccount(context, { type: 'Deactivate', member, at: context.now() })
}

export async function reinstateAccount(
  context: Operating,
  member: MemberId,
): Promise<{ ok: true } | ModerationRefused> {
  return order(context, { type: 'Reinstate', member, at: context.now() })
}

/** Quiet when the case is closed already. */
export async function closeCase(
  context: Operating,
  { reporter, target }: Pick<ReportRow, 'reporter' | 'target'>,
  outcome: 'no-action' | 'suspended',
): Promise<void> {
  const [by, about] = [reporter as MemberId, target as MemberId]
  const command = { type: 'CloseReport' as const, by, target: about, outcome, at: context.now() }
  const closed = await context.dispatch(safetyDecider, command, source(context))
  if (!closed.ok && closed.reason !== 'no-report') throw new Error(`A case could not be closed: ${closed.reason}`)
}

async function shutAccount(
  context: Operating,
  command: Extract<MemberCommand, { type: 'Suspend' | 'Deactivate' }>,
): Promise<Moderated> {
  const shut = await order(context, command)
  if (!shut.ok && shut.reason !== 'already') return shut
  if (shut.ok) await context.caughtUp(shut.position)
  const { member } = command
  const sessions = await context.sessions.revokeAll(member)
  await order(context, { type: 'RevokeSessions', member, sessions, at: context.now() })
  return { ok: true, sessions: sessions.length }
}

const order = (context: Operating, command: MemberCommand) => context.dispatch(memberDecider, command, source(context))

const source = ({ actor, requestId }: Operating) => ({ commandId: randomUUID(), actor, correlationId: requestId })
