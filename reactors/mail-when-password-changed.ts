import type { MemberId } from '../domain/shared/ids.ts'
import { findAddress } from '../projections/profiles/queries.ts'
import type { ReadDb } from '../projections/projection.ts'
import type { Mailer } from '../services/mailer.ts'
import { passwordChangedMail, type UndoOffer } from '../services/mails.ts'
import type { UndoLinks } from '../services/second-factor/undo-links.ts'
import type { Reactor } from './reactor.ts'

/** What reactors that write mail may use. */
export type MailAct = {
  readonly mailer: Mailer
  readonly read: ReadDb
  readonly publicUrl: string
  readonly undoLinks: Pick<UndoLinks, 'issue'>
}

/** A link for the member's mail that undoes their second factor; null where there is none, or it is on for too long. */
export async function offerUndo({ undoLinks, publicUrl }: MailAct, member: MemberId): Promise<UndoOffer | null> {
  const issued = await undoLinks.issue(member)
  if (!issued) return null
  const { token, since, until } = issued
  return { link: `${publicUrl}/forgot-password?link=${token}`, since, until }
}

/** Notifies the owner of an account that its password changed (api-contract C03, C30). */
export const mailWhenPasswordChanged: Reactor<MailAct, 'PasswordChanged'> = {
  name: 'mail-when-password-changed',
  on: ['PasswordChanged'],
  mails: true,
  async react({ member, at }, act) {
    const to = await findAddress(act.read, member)
    if (!to) return
    const undo = await offerUndo(act, member)
    await act.mailer.send({ to, ...passwordChangedMail({ resetUrl: `${act.publicUrl}/forgot-password`, at, undo }) })
  },
}
