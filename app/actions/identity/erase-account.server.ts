import { randomUUID } from 'node:crypto'
import { emailDecider } from '../../../domain/identity/email.ts'
import { memberDecider } from '../../../domain/identity/member.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import type { KeyRing } from '../../../eventstore/keys.ts'
import type { Mailbox } from '../../../services/mailbox.ts'
import type { RequestContext } from '../../lib/request/context.server.ts'
import type { Refusal } from '../act.server.ts'

export type Erasing = Pick<
  RequestContext,
  | 'dispatch'
  | 'loadState'
  | 'now'
  | 'requestId'
  | 'caughtUp'
  | 'sessions'
  | 'positions'
  | 'media'
  | 'idempotency'
  | 'loginGuard'
  | 'credentials'
  | 'barred'
> & {
  readonly keys: Pick<KeyRing, 'destroy'>
  readonly mailbox: Pick<Mailbox, 'list' | 'forget'> | null
  /** The member's id, or `admin:<name>`. */
  readonly actor: string
}

/**
 * Forgets a member for ever (ruling R26). The account ends first, which closes sockets and empties the read models; the key
 * follows once nothing is left to find by it, and the credential, which knows the address, goes last: cut short anywhere,
 * the same call goes on. Repeats are quiet.
 */
export async function eraseAccount(
  context: Erasing,
  member: MemberId,
): Promise<{ ok: true } | Refusal<'unknown' | 'conflict' | 'reused'>> {
  const source = () => ({ commandId: randomUUID(), actor: context.actor, correlationId: context.requestId })
  const { status } = await context.loadState(memberDecider, member)
  if (status === 'none') return { ok: false, reason: 'unknown' }
  if (status === 'suspended') await bar(context, member)
  if (status !== 'gone') {
    const command = { type: 'EraseAccount' as const, member, at: context.now() }
    const ended = await context.dispatch(memberDecider, command, source())
    if (!ended.ok && ended.reason !== 'unknown') return { ok: false, reason: ended.reason as 'conflict' | 'reused' }
    if (ended.ok) await context.caughtUp(ended.position)
  }
  const credential = await context.credentials.findByMember(member)
  await removeRows(context, member, credential?.emailKey)
  await context.keys.destroy(member)
  if (credential) {
    const { emailKey } = credential
    const release = { type: 'ReleaseEmail' as const, emailKey, member, at: context.now() }
    const released = await context.dispatch(emailDecider, release, source())
    if (!released.ok) return { ok: false, reason: released.reason as 'conflict' | 'reused' }
    await context.credentials.remove(member)
  }
  return { ok: true }
}

/** Being erased is no way back in for who was shut out. */
async function bar(context: Erasing, member: MemberId): Promise<void> {
  const credential = await context.credentials.findByMember(member)
  if (credential) await context.barred.turnAway(credential.emailKey)
}

/** Whatever is kept beside the log; each removal may come again. */
async function removeRows(context: Erasing, member: MemberId, emailKey: string | undefined): Promise<void> {
  await context.sessions.revokeAll(member)
  await context.positions.remove(member)
  await context.media.removeAll({ member })
  await context.idempotency.forget(member)
  if (!emailKey) return
  await context.loginGuard.clear(emailKey)
  const received = new Set((await context.mailbox?.list())?.map(({ to }) => to))
  for (const address of received) {
    if (context.credentials.emailKey(address) === emailKey) await context.mailbox?.forget(address)
  }
}
