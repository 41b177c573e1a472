import { accountDeletedMail } from '../../services/mails.ts'
import { type Answer, done, refused, TRY_AGAIN, tooMany } from '../answer.ts'
import type { Ports, Viewer } from '../ports.ts'
import { endAccount } from './erase-account.ts'
import { finishErasure } from './finish-erasure.ts'
import { isRecent } from './prove.ts'
import { proveWith } from './prove-answer.ts'

const ASKING = { ask: 'Please enter your password.', missing: 'reauth', wrong: 'reauth' }

/** What the page asks before it asks whether the member is sure (ruling R26). */
export const proveForDeletion = (context: Ports, viewer: Viewer, password: string | undefined) =>
  proveWith(context, viewer, password, ASKING)

/**
 * A member forgets themselves for ever: the right password, or none where they proved who they are within 15 minutes
 * (api-contract C34). Once the account has ended there is no way back, so whatever is left to do then is no refusal.
 */
export async function deleteOwnAccount(
  context: Ports,
  viewer: Viewer,
  { password }: { password?: string | undefined },
): Promise<Answer<null>> {
  const { member } = viewer
  if (password !== undefined || !isRecent(viewer, context.now())) {
    const proven = await proveForDeletion(context, viewer, password)
    if (!proven.ok) return proven
  } else {
    const taken = await context.limits.take('CRIT', member)
    if (!taken.ok) return tooMany(taken.retryInMs)
  }
  const address = await addressOf(context, viewer)
  const erasing = { ...context, actor: member }
  const ended = await endAccount(erasing, member)
  if (!ended.ok) return refused(409, TRY_AGAIN)
  // The reactor on `AccountErased` goes on with what fails here, and tells of it.
  await finishErasure(erasing, member).catch(() => undefined)
  if (ended.first && address) await sendReceipt(context, address)
  return done(null)
}

async function addressOf({ read }: Ports, { member }: Viewer): Promise<string | null> {
  const row = await read.selectFrom('profile').select('email').where('member', '=', member).executeTakeFirst()
  return row?.email || null
}

/** Nothing keeps the address any more, so a mail that cannot be handed over is not sent again. */
async function sendReceipt({ mailer, config, now }: Ports, to: string): Promise<void> {
  const mail = accountDeletedMail({ contactUrl: `${config.publicUrl}/contact`, at: now() })
  await mailer.send({ to, ...mail }).catch(() => undefined)
}
