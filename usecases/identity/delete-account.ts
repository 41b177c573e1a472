import { withTimeout } from '../../eventstore/retry.ts'
import { findAddress } from '../../projections/profiles/queries.ts'
import { accountDeletedMail } from '../../services/mails.ts'
import { slowDown } from '../act.ts'
import { done, type Outcome } from '../outcome.ts'
import type { Ports, SignedIn } from '../ports.ts'
import { endAccount, type NotEnded } from './erase-account.ts'
import { finishErasure } from './finish-erasure.ts'
import { type Proof, type ProveRefusal, proveUnlessRecent } from './prove.ts'

export type DeletionRefusal = ProveRefusal | NotEnded | 'slow-down'

/**
 * A member forgets themselves for ever: the right password, or none where they proved who they are within 15 minutes
 * (api-contract C34). Once the account has ended there is no way back, so whatever is left to do then is no refusal.
 */
export async function deleteOwnAccount(acting: SignedIn, proof: Proof): Promise<Outcome<null, DeletionRefusal>> {
  const { member } = acting.who
  const proven = await proveUnlessRecent(acting, proof)
  if (!proven.ok) return proven
  // A password that was looked at has counted already.
  const wait = proven.value === 'recent' ? await slowDown(acting, 'CRIT') : null
  if (wait) return wait
  const address = await findAddress(acting.read, member)
  const erasing = { ...acting, actor: member }
  const ended = await endAccount(erasing, member)
  if (!ended.ok) return ended
  if (ended.position) await acting.caughtUp(ended.position)
  // The reactor on `AccountErased` retries what fails here, and logs it.
  await finishErasure(erasing, member).catch(() => undefined)
  if (ended.position && address) await sendReceipt(acting, address)
  return done(null)
}

/** The account is gone, also where the mail server is silent. */
const RECEIPT_WITHIN_MS = 5_000

/** Nothing keeps the address any more, so a mail that cannot be handed over is not sent again. */
async function sendReceipt({ mailer, config, now, reportError }: Ports, to: string): Promise<void> {
  const mail = accountDeletedMail({ contactUrl: `${config.publicUrl}/contact`, at: now() })
  await withTimeout(mailer.send({ to, ...mail }), RECEIPT_WITHIN_MS).catch((error: unknown) => reportError?.(error))
}
