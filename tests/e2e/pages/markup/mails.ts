import * as mails from '../../../../services/mails.ts'

/** Every mail with this text wherever words or a code are put; links are the product's own. */
export function mailsWith(text: string, link: string): Record<string, mails.MailText> {
  const at = new Date()
  const undo = { link, since: at, until: at }
  return {
    signupCodeMail: mails.signupCodeMail(text),
    alreadyMemberMail: mails.alreadyMemberMail({ loginUrl: link }),
    addressBarredMail: mails.addressBarredMail({ contactUrl: link }),
    resetCodeMail: mails.resetCodeMail({ code: text, link }),
    passwordChangedMail: mails.passwordChangedMail({ resetUrl: link, at, undo }),
    newDeviceMail: mails.newDeviceMail({ resetUrl: link, at }),
    secondFactorMail: mails.secondFactorMail({ how: 'turned-on', resetUrl: link, at, undo }),
    recoveryCodeUsedMail: mails.recoveryCodeUsedMail({ left: 3, resetUrl: link, at }),
    codesRefusedMail: mails.codesRefusedMail({ resetUrl: link, at }),
    restoredMail: mails.restoredMail({ resetUrl: link, backupAt: at, restoredAt: at }),
    accountSuspendedMail: mails.accountSuspendedMail({ reason: text, contactUrl: link, at }),
    accountDeletedMail: mails.accountDeletedMail({ contactUrl: link, at }),
    exportReadyMail: mails.exportReadyMail({ pageUrl: link }),
  }
}
