import type { MemberId } from '../domain/shared/ids.ts'
import type { ReadDb } from '../projections/projection.ts'
import type { Mailer } from '../services/mailer.ts'
import { passwordChangedMail } from '../services/mails.ts'
import type { Reactor } from './reactor.ts'

/** What reactors that write mail may use. */
export type MailAct = { readonly mailer: Mailer; readonly read: ReadDb; readonly publicUrl: string }

/** Where mail of a member goes; null once there is nobody to write to. */
export async function addressOf(read: ReadDb, member: MemberId): Promise<string | null> {
  const row = await read.selectFrom('profile').select('email').where('member', '=', member).executeTakeFirst()
  return row?.email || null
}

/** Notifies the owner of an account that its password changed (api-contract C03, C30). */
export const mailWhenPasswordChanged: Reactor<MailAct, 'PasswordChanged'> = {
  name: 'mail-when-password-changed',
  on: ['PasswordChanged'],
  async react({ member, at }, { mailer, read, publicUrl }) {
    const to = await addressOf(read, member)
    if (to) await mailer.send({ to, ...passwordChangedMail({ resetUrl: `${publicUrl}/forgot-password`, at }) })
  },
}
