import { valueOr } from '../domain/shared/personal.ts'
import { findAddress } from '../projections/profiles/queries.ts'
import { accountSuspendedMail } from '../services/mails.ts'
import type { MailAct } from './mail-when-password-changed.ts'
import type { Reactor } from './reactor.ts'

/** States the reasons to the member whose account is shut, and how to object (security §3.4). */
export const mailWhenSuspended: Reactor<MailAct, 'AccountSuspended'> = {
  name: 'mail-when-suspended',
  on: ['AccountSuspended'],
  mails: true,
  async react({ member, reason, at }, { mailer, read, publicUrl }) {
    const to = await findAddress(read, member)
    const words = valueOr(reason, '')
    if (to)
      await mailer.send({ to, ...accountSuspendedMail({ reason: words, contactUrl: `${publicUrl}/contact`, at }) })
  },
}
