import { randomUUID } from 'node:crypto'
import { MemberCommand } from '../domain/identity/commands.ts'
import { memberDecider } from '../domain/identity/member.ts'
import type { MemberId, SessionId } from '../domain/shared/ids.ts'
import { withTimeout } from '../eventstore/retry.ts'
import type { OwedCommand, Rows } from '../services/owed.ts'
import type { Ports } from './ports.ts'

/** What the log is to have of a change of rows. */
type Note = Extract<
  MemberCommand,
  {
    type:
      | 'NotePasswordChange'
      | 'RevokeSessions'
      | 'NoteNewDevice'
      | 'NoteSecondFactor'
      | 'NoteRecoveryCode'
      | 'NoteRefusedCodes'
  }
>
type Facts<N> = N extends Note ? Omit<N, 'member' | 'at'> : never
export type Owe = (note: Facts<Note>) => void
type Owing = Pick<Ports, 'owed' | 'dispatch' | 'now' | 'reportError'>

/** So long an answer waits for the log, which gets what it is owed later too. */
const AT_ONCE_MS = 2_000
/** The log takes no command of any size. */
const SESSIONS_AT_ONCE = 1_000

/**
 * Changes a member's rows together with what the log is owed about it, in one transaction, and then sends that. Once the
 * change is committed it holds, whatever becomes of the log or of this process: what is left is sent later, once.
 */
export async function changeOwing<T>(
  ports: Owing,
  member: MemberId,
  change: (rows: Rows, owe: Owe) => Promise<T>,
): Promise<T> {
  const owed: OwedCommand[] = []
  const value = await ports.owed.commit((rows, store) =>
    change(rows, (what) => {
      const command = { id: randomUUID(), member, what, at: ports.now() }
      owed.push(command)
      store(command)
    }),
  )
  const sending = (async () => {
    // What is older comes first: whoever sends that sends these too.
    for (const command of owed) {
      if (!(await ports.owed.isNext(command))) break
      await sendOwed(ports, command)
    }
  })()
  await withTimeout(sending, AT_ONCE_MS).catch((error: unknown) => ports.reportError?.(error))
  return value
}

/** Ends sessions, so that sockets on them close within the second (security §3.2). Answers which did. */
export async function revokeOwing(
  ports: Owing,
  member: MemberId,
  revoke: (sessions: Rows['sessions']) => Promise<readonly SessionId[]>,
): Promise<readonly SessionId[]> {
  return changeOwing(ports, member, async (rows, owe) => oweEnded(owe, await revoke(rows.sessions)))
}

/** The same as a part of a larger change. */
export function oweEnded(owe: Owe, sessions: readonly SessionId[]): readonly SessionId[] {
  for (const some of inChunks(sessions)) owe({ type: 'RevokeSessions', sessions: some })
  return sessions
}

/** As many as one command may name. */
export function inChunks(sessions: readonly SessionId[]): SessionId[][] {
  const count = Math.ceil(sessions.length / SESSIONS_AT_ONCE)
  return Array.from({ length: count }, (_, n) => sessions.slice(n * SESSIONS_AT_ONCE, (n + 1) * SESSIONS_AT_ONCE))
}

/** Sends what the log is owed. It is settled once the log has it, or refuses it, as of an account that is gone. */
export async function sendOwed(
  { owed, dispatch }: Pick<Ports, 'owed' | 'dispatch'>,
  { id, member, what, at }: OwedCommand,
): Promise<void> {
  const command = MemberCommand.parse({ ...what, member, at })
  const outcome = await dispatch(memberDecider, command, { commandId: id, actor: member })
  if (!outcome.ok && outcome.reason === 'conflict') throw new Error('Others keep writing to the account.')
  await owed.settle({ id })
}
