import { randomUUID } from 'node:crypto'
import { emailDecider } from '../../domain/identity/email.ts'
import { memberDecider } from '../../domain/identity/member.ts'
import { pairDecider } from '../../domain/pair/decider.ts'
import { type AddressId, type MemberId, pairIdOf } from '../../domain/shared/ids.ts'
import { listPartners } from '../../projections/history/partners.ts'
import { ACCOUNT_DELETED } from '../../services/mails.ts'
import type { Refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import { findAddress, leaveAddress } from './address-id.ts'

export type Erasing = Pick<
  Ports,
  | 'dispatch'
  | 'loadState'
  | 'now'
  | 'newId'
  | 'requestId'
  | 'caughtUp'
  | 'upToDate'
  | 'sessions'
  | 'positions'
  | 'media'
  | 'idempotency'
  | 'loginGuard'
  | 'addresses'
  | 'credentials'
  | 'barred'
  | 'keptBlocks'
  | 'erasure'
  | 'exports'
  | 'read'
> & {
  /** The member's id, `admin:<name>`, `reactor:<name>` or `system`. */
  readonly actor: string
}

/**
 * Something of the member is left: rows that came meanwhile, or read models that are behind. The next try continues.
 */
export class ErasureIncomplete extends Error {
  override name = 'ErasureIncomplete'
}

/**
 * For a run over many accounts, once all of them have ended: how far read models are is asked, and waited for, once and not
 * for each.
 */
export function askingOnce<C extends Pick<Erasing, 'upToDate'>>(context: C): C {
  const answers = new Map<string, Promise<boolean>>()
  const upToDate: Erasing['upToDate'] = (models) => {
    const answer = answers.get(String(models)) ?? context.upToDate(models)
    answers.set(String(models), answer)
    return answer
  }
  return { ...context, upToDate }
}

/** `finished`: it was this call whose certificate the log has; of several that finish one erasure it is one alone. */
export type ErasureDone = { readonly ok: true; readonly finished: boolean }

/**
 * Removes what is kept beside the log of an account that has ended; each step may come again, and beside another who finishes it. The key goes early, and
 * into the ledger before that. The credential, which knows the address, goes last, once the blocks of others are kept;
 * then every column is checked, and the certificate records it. Throws what a step throws, and `ErasureIncomplete`.
 */
export async function finishErasure(
  context: Erasing,
  member: MemberId,
): Promise<ErasureDone | Refused<'conflict' | 'reused'>> {
  const source = () => ({ commandId: randomUUID(), actor: context.actor, correlationId: context.requestId })
  const { erasure, credentials } = context
  const emailKey = (await credentials.findByMember(member))?.emailKey ?? null
  await context.sessions.revokeAll(member)
  await erasure.ledger.add([member])
  const keyDestroyedAt = await erasure.destroyKey(member)
  await removeRows(context, member, emailKey && (await hasAddress(context, member, emailKey)) ? emailKey : null)
  await erasure.dropUnknown()
  let address: AddressId | null = null
  if (emailKey) {
    // Waits for read models: until then the address is the account's, and so is what comes by it.
    await keepBlocks(context, member, emailKey)
    const left = await leaveAddress(context, { type: 'ReleaseEmail', emailKey, member }, source())
    if (!left.ok) return { ok: false, reason: left.reason as 'conflict' | 'reused' }
    address = left.over
    await credentials.remove(member)
  }
  // What somebody did at the same moment, still signed in.
  await removeRows(context, member, null)
  const busy = await erasure.dropUnfollowed()
  if (busy.length > 0)
    throw new ErasureIncomplete(`Tables of ${busy.join(', ')} are behind, being filled, or not empty yet.`)
  // Tables that were swapped in meanwhile are asked too.
  await requireErased(context, member)
  const { places, left } = await erasure.look({ member, emailKey: null, address })
  if (left > 0) throw new ErasureIncomplete(`${left} rows came while ${member} was erased.`)
  const certify = { type: 'CertifyErasure' as const, member, keyDestroyedAt, places, at: context.now() }
  const certified = await context.dispatch(memberDecider, certify, source())
  if (!certified.ok) return { ok: false, reason: certified.reason as 'conflict' | 'reused' }
  await renewExports(context, member)
  await erasure.settle(member)
  return { ok: true, finished: certified.events.length > 0 }
}

/** Of who had blocked a member. */
const ASKED = ['profiles', 'histories']

/**
 * Being erased is no way back to those who blocked the member (security T16, §3.3). The log has their blocks when the read
 * models no longer do; a member whose profile is gone can be blocked no more.
 */
async function keepBlocks(context: Erasing, member: MemberId, emailKey: string): Promise<void> {
  const { keptBlocks, loadState, erasure } = context
  if (!((await context.upToDate(ASKED)) && (await erasure.showLog(ASKED))))
    throw new ErasureIncomplete('Read models are behind; the blocks of others wait for them.')
  await requireErased(context, member)
  for (const by of await listPartners(context.read, member, 'Blocked')) {
    const { blockedBy } = await loadState(pairDecider, pairIdOf(by, member))
    const blocks = blockedBy.includes(by) && (await loadState(memberDecider, by)).status !== 'gone'
    await (blocks ? keptBlocks.keep(emailKey, by) : keptBlocks.lift(emailKey, by))
  }
}

/** A read model that has passed the end of the account may have it in quarantine, and the profile in its rows. */
async function requireErased({ erasure }: Erasing, member: MemberId): Promise<void> {
  const names = await erasure.listUnerased(member)
  if (names.length > 0) throw new ErasureIncomplete(`The end of the account is in quarantine of ${names.join(', ')}.`)
}

/** An unfinished registration has let go of it already: codes and proofs there are of whoever begins anew. */
async function hasAddress(context: Erasing, member: MemberId, emailKey: string): Promise<boolean> {
  const address = await findAddress(context, emailKey)
  return address !== null && (await context.loadState(emailDecider, address)).holder === member
}

/** What others asked a copy of, with the member's words in it; made anew once no read model contains them. */
async function renewExports(context: Erasing, member: MemberId): Promise<void> {
  const partners = await listPartners(context.read, member)
  if (partners.length === 0) return
  if (!(await context.upToDate())) throw new ErasureIncomplete('Read models are behind; exports wait for them.')
  // Rows had the member's words until this moment, whenever the key was destroyed.
  await context.exports.prepareAgain(partners, context.now())
}

/** All but the credential. `emailKey`: of an address that nobody else may have by now. */
export async function removeRows(context: Erasing, member: MemberId, emailKey: string | null): Promise<void> {
  await context.sessions.revokeAll(member)
  await context.positions.remove(member)
  await context.media.removeAll({ member })
  await context.idempotency.forget(member)
  await context.exports.removeAll(member)
  const proofs = await context.erasure.forgetTraces({ member, emailKey })
  for (const proof of proofs) await context.media.removeAll({ proof })
  if (emailKey) await forgetMail(context, emailKey)
}

/** The mailbox knows addresses, the credential their keyed hash alone. The receipt may be there already. */
async function forgetMail({ erasure: { mailbox }, credentials }: Erasing, emailKey: string): Promise<void> {
  const received = new Set((await mailbox?.list())?.map(({ to }) => to))
  for (const address of received) {
    if (credentials.emailKey(address) === emailKey) await mailbox?.forget(address, { but: ACCOUNT_DELETED })
  }
}
