import { randomUUID } from 'node:crypto'
import type { MemberCommand } from '../../domain/identity/commands.ts'
import { type MemberRefusal, memberDecider } from '../../domain/identity/member.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { Refused } from '../outcome.ts'
import { inChunks } from '../owed.ts'
import type { Ports } from '../ports.ts'

/** Who keeps members safe: `actor` is `admin:<name>`. */
export type Operating = Pick<Ports, 'dispatch' | 'now' | 'read' | 'sessions' | 'caughtUp' | 'requestId'> & {
  readonly actor: string
}
export type ModerationRefused = Refused<MemberRefusal | 'conflict' | 'reused'>
export type Moderated = { ok: true; sessions: number } | ModerationRefused

/** A command about a member's account. */
export const orderAccount = (context: Operating, command: MemberCommand) =>
  context.dispatch(memberDecider, command, sourceOf(context))

/** Who ordered it, as a command of its own. */
export const sourceOf = ({ actor, requestId }: Operating) => ({
  commandId: randomUUID(),
  actor,
  correlationId: requestId,
})

/** Shuts the account first, so that no new session can be opened, then every session and socket. Quiet when it is shut. */
export async function shutAccount(
  context: Operating,
  command: Extract<MemberCommand, { type: 'Suspend' | 'Deactivate' }>,
): Promise<Moderated> {
  const shut = await orderAccount(context, command)
  if (!shut.ok && shut.reason !== 'already') return shut
  if (shut.ok) await context.caughtUp(shut.position)
  return endSessions(context, command.member)
}

async function endSessions(context: Operating, member: MemberId): Promise<Moderated> {
  const sessions = await context.sessions.revokeAll(member)
  for (const some of inChunks(sessions))
    await orderAccount(context, { type: 'RevokeSessions', member, sessions: some, at: context.now() })
  return { ok: true, sessions: sessions.length }
}
