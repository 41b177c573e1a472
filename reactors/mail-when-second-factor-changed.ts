import { findAddress } from '../projections/profiles/queries.ts'
import { codesRefusedMail, recoveryCodeUsedMail, secondFactorMail } from '../services/mails.ts'
import { type MailAct, offerUndo } from './mail-when-password-changed.ts'
import type { Reactor } from './reactor.ts'

/** Notifies the owner of an account what happened with its second factor (ruling R37). */
export const mailWhenSecondFactorChanged: Reactor<
  MailAct,
  'SecondFactorChanged' | 'RecoveryCodeUsed' | 'SecondFactorRefused'
> = {
  name: 'mail-when-second-factor-changed',
  on: ['SecondFactorChanged', 'RecoveryCodeUsed', 'SecondFactorRefused'],
  mails: true,
  async react(event, act) {
    const { mailer, read, publicUrl } = act
    const to = await findAddress(read, event.member)
    if (!to) return
    const about = { resetUrl: `${publicUrl}/forgot-password`, at: event.at }
    switch (event.type) {
      case 'SecondFactorChanged': {
        const undo = event.how === 'turned-on' ? await offerUndo(act, event.member) : null
        return mailer.send({ to, ...secondFactorMail({ ...about, how: event.how, undo }) })
      }
      case 'RecoveryCodeUsed':
        return mailer.send({ to, ...recoveryCodeUsedMail({ ...about, left: event.left }) })
      case 'SecondFactorRefused':
        return mailer.send({ to, ...codesRefusedMail(about) })
    }
  },
}
