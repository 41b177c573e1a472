import { findAddress } from '../projections/profiles/queries.ts'
import type { ReadDb } from '../projections/projection.ts'
import type { Mailer } from '../services/mailer.ts'
import { passwordChangedMail } from '../services/mails.ts'
import type { Reactor } from './reactor.ts'

/** What reactors that write mail may use. */
export type MailAct = { readonly mailer: Mailer; readonly read: ReadDb; readonly publicUrl: string }

/** Notifies the owner of an account that its password changed (api-contract C03, C30). */
export const mailWhenPasswordChanged: Reactor<MailAct, 'PasswordChanged'> = {
  name: 'mail-when-password-changed',
  on: ['PasswordChanged'],
  async react({ member, at }, { mailer, read, publicUrl }) {
    const to = await findAddress(read, member)
    if (to) await mailer.send({ to, ...passwordChangedMail({ resetUrl: `${publicUrl}/forgot-password`, at }) })
  },
}
