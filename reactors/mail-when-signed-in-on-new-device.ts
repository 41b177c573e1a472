import { findAddress } from '../projections/profiles/queries.ts'
import { newDeviceMail } from '../services/mails.ts'
import type { MailAct } from './mail-when-password-changed.ts'
import type { Reactor } from './reactor.ts'

/** Notifies the owner of an account of a sign-in from a browser that is new to it (security T11). */
export const mailWhenSignedInOnNewDevice: Reactor<MailAct, 'SignedInOnNewDevice'> = {
  name: 'mail-when-signed-in-on-new-device',
  on: ['SignedInOnNewDevice'],
  mails: true,
  async react({ member, at }, { mailer, read, publicUrl }) {
    const to = await findAddress(read, member)
    if (to) await mailer.send({ to, ...newDeviceMail({ resetUrl: `${publicUrl}/forgot-password`, at }) })
  },
}
