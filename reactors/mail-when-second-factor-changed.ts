import { findAddress } from '../projections/profiles/queries.ts'
import { recoveryCodeUsedMail, secondFactorMail } from '../services/mails.ts'
import type { MailAct } from './mail-when-password-changed.ts'
import type { Reactor } from './reactor.ts'

/** Notifies the owner of an account that something else guards it, or that a recovery code was used (ruling R37). */
export const mailWhenSecondFactorChanged: Reactor<MailAct, 'SecondFactorChanged' | 'RecoveryCodeUsed'> = {
  name: 'mail-when-second-factor-changed',
  on: ['SecondFactorChanged', 'RecoveryCodeUsed'],
  async react(event, { mailer, read, publicUrl }) {
    const to = await findAddress(read, event.member)
    if (!to) return
    const about = { resetUrl: `${publicUrl}/forgot-password`, at: event.at }
    const mail =
      event.type === 'RecoveryCodeUsed'
        ? recoveryCodeUsedMail({ ...about, left: event.left })
        : secondFactorMail({ ...about, how: event.how })
    await mailer.send({ to, ...mail })
  },
}
