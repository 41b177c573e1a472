import type { Mail } from './mailer.ts'

/** Such as 2026-11-21 04:00 UTC. */
const minuteOf = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** The words of a mail before it has a receiver. */
export type MailText = Omit<Mail, 'to'>

type Part = { line: string } | { code: string } | { link: string; label: string }

const SIGNATURE = 'Warmly, LetsBuzz'
const NOT_YOU = 'If this was not you, you can leave this mail alone: nothing happens without the code.'

export function signupCodeMail(code: string): MailText {
  return mail(`${code} is your LetsBuzz code`, [
    { line: 'Welcome! Here is your code to go on with your sign-up:' },
    { code },
    { line: 'It is good for 10 minutes.' },
    { line: NOT_YOU },
  ])
}

/** To somebody who signs up with an address that has an account (security T10). */
export function alreadyMemberMail({ loginUrl }: { loginUrl: string }): MailText {
  return mail('You already have a LetsBuzz account', [
    { line: 'Someone, perhaps you, wants to sign up with this address. It already has an account.' },
    { link: loginUrl, label: 'Log in' },
    { line: 'If you forgot your password, you can set a new one there. If this was not you, nothing has changed.' },
  ])
}

/** To the holder of an address that is turned away: with the way to object (security §3.4). */
export function addressBarredMail({ contactUrl }: { contactUrl: string }): MailText {
  return mail('No LetsBuzz account for this address', [
    { line: 'Someone, perhaps you, wants to sign up with this address. The account that it had was suspended.' },
    { line: 'For now no other one can be opened with it. If you think that is wrong, write to us.' },
    { link: contactUrl, label: 'Object to this decision' },
  ])
}

/** The link works where the code is used up (security T8). */
export function resetCodeMail({ code, link }: { code: string; link: string }): MailText {
  return mail(`${code} is your LetsBuzz code`, [
    { line: 'Here is your code to set a new password:' },
    { code },
    { line: 'Or set it right away by this link:' },
    { link, label: 'Set a new password' },
    { line: 'Both are good for 10 minutes.' },
    { line: NOT_YOU },
  ])
}

/** A link that undoes a second factor: since when that is on, and until when the link is good. */
export type UndoOffer = { readonly link: string; readonly since: Date; readonly until: Date }

const undoParts = ({ link, until }: UndoOffer): Part[] => [
  { line: 'The link below sets a new password, turns 2-step verification off and ends every session:' },
  { link, label: 'Take your account back' },
  { line: `It is good once, until ${minuteOf(until)}.` },
]

/** Who resets their password because somebody else turned 2-step verification on does not get in by that alone. */
export function passwordChangedMail({
  resetUrl,
  at,
  undo,
}: {
  resetUrl: string
  at: Date
  undo: UndoOffer | null
}): MailText {
  const second = undo && [
    { line: `2-step verification is on for your account since ${minuteOf(undo.since)}. If you did not turn it on:` },
    ...undoParts(undo),
  ]
  return mail('Your LetsBuzz password was changed', [
    { line: `The password of your account was changed at ${minuteOf(at)}.` },
    { line: 'If this was you, all is well. If not, set a new one now:' },
    { link: resetUrl, label: 'Set a new password' },
    ...(second ?? []),
  ])
}

/** To the owner of an account that somebody signed in to from a browser it did not know (security T11). */
export function newDeviceMail({ resetUrl, at }: { resetUrl: string; at: Date }): MailText {
  return mail('A new sign-in to your LetsBuzz account', [
    { line: `Somebody signed in to your account at ${minuteOf(at)}, from a browser that had not done so before.` },
    { line: 'If this was you, all is well. If not, set a new password now: it ends every session.' },
    { link: resetUrl, label: 'Set a new password' },
  ])
}

const FACTOR_LINES = {
  'turned-on': ['2-step verification is on', '2-step verification was turned on for your account'],
  'turned-off': ['2-step verification is off', '2-step verification was turned off for your account'],
  'codes-renewed': ['You have new recovery codes', 'New recovery codes were made for your account'],
} as const
const NOT_ME = 'If this was you, all is well. If not, set a new password now: it ends every session.'

/** To the owner of an account whose second factor changed (ruling R37). */
export function secondFactorMail({
  how,
  resetUrl,
  at,
  undo,
}: {
  how: keyof typeof FACTOR_LINES
  resetUrl: string
  at: Date
  /** Where it was turned on. */
  undo: UndoOffer | null
}): MailText {
  const [subject, line] = FACTOR_LINES[how]
  const what = { line: `${line} at ${minuteOf(at)}.` }
  const notMe = undo
    ? [{ line: 'If this was you, all is well. If not, somebody has come into your account.' }, ...undoParts(undo)]
    : [{ line: NOT_ME }, { link: resetUrl, label: 'Set a new password' }]
  return mail(`${subject} for your LetsBuzz account`, [what, ...notMe])
}

/** The same where a code on paper took the place of the app. */
export function recoveryCodeUsedMail({ left, resetUrl, at }: { left: number; resetUrl: string; at: Date }): MailText {
  return mail('A recovery code of your LetsBuzz account was used', [
    { line: `A recovery code of your account was used at ${minuteOf(at)}. You have ${left} left.` },
    { line: NOT_ME },
    { link: resetUrl, label: 'Set a new password' },
  ])
}

/** To the owner of an account whose password somebody gave, or whose Google account they used, and no right code after it. */
export function codesRefusedMail({ resetUrl, at }: { resetUrl: string; at: Date }): MailText {
  return mail('A sign-in to your LetsBuzz account was stopped', [
    {
      line: `At ${minuteOf(at)} somebody gave your password, or signed in with your Google account, and then gave wrong codes.`,
    },
    { line: 'Nobody was signed in. If this was you, all is well.' },
    { line: 'If not, set a new password now, and look after your Google account if you sign in with it.' },
    { link: resetUrl, label: 'Set a new password' },
  ])
}

/** To every member after a restore: what was done since the backup is undone, a new password, a second factor and blocks among it. */
export function restoredMail({
  resetUrl,
  backupAt,
  restoredAt,
}: {
  resetUrl: string
  backupAt: Date
  restoredAt: Date
}): MailText {
  return mail('LetsBuzz was restored from a backup', [
    {
      line: `After a fault we restored LetsBuzz from a backup. What happened between ${minuteOf(backupAt)} and ${minuteOf(restoredAt)} is lost: messages, matches, and what you changed in your profile and settings.`,
    },
    {
      line: 'Every session has ended, so please log in again. If you blocked or reported somebody in that time, do it again.',
    },
    {
      line: 'If you turned 2-step verification on in that time, it is off again: turn it on anew. If you turned it off, it is on again.',
    },
    { line: 'If you changed your password in that time, your old one is valid again. Set a new one now:' },
    { link: resetUrl, label: 'Set a new password' },
    { line: 'We are sorry.' },
  ])
}

/** A statement of reasons, with the way to object (security §3.4). */
export function accountSuspendedMail({
  reason,
  contactUrl,
  at,
}: {
  reason: string
  contactUrl: string
  at: Date
}): MailText {
  const when = `${at.toISOString().slice(0, 10)}`
  return mail('Your LetsBuzz account is suspended', [
    { line: `Your account was suspended on ${when}, for this reason:` },
    { line: reason },
    { line: 'A person decided this. If you think it is wrong, write to us and another person will look at it.' },
    { link: contactUrl, label: 'Object to this decision' },
  ])
}

/** Nothing of the address is kept beside this mail; the mailbox of local mode is its owner's, and keeps it. */
export const ACCOUNT_DELETED = 'Your LetsBuzz account is deleted'

/** The receipt of a deletion (api-contract C34). */
export function accountDeletedMail({ contactUrl, at }: { contactUrl: string; at: Date }): MailText {
  return mail(ACCOUNT_DELETED, [
    { line: `As you asked, your account and all its data were permanently deleted at ${minuteOf(at)}.` },
    { line: 'Nobody can bring them back, we neither. This address is free: you may sign up with it again.' },
    { line: 'Reports that were made by you or about you are kept sealed for at most 180 days.' },
    { line: 'If this was not you, please tell us, so that we can look into it.' },
    { link: contactUrl, label: 'Write to us' },
  ])
}

/** The link leads to a page behind the sign-in; the mail itself opens nothing. */
export function exportReadyMail({ pageUrl }: { pageUrl: string }): MailText {
  return mail('The copy of your LetsBuzz data is ready', [
    {
      line: 'The copy of your data that you asked for is ready. You can download it for the next 48 hours, or until you have a newer one.',
    },
    { link: pageUrl, label: 'Download your data' },
    { line: 'If you did not ask for it, set a new password: somebody else may be signed in to your account.' },
  ])
}

/** A code is alone on its line. */
function mail(subject: string, parts: readonly Part[]): MailText {
  const text = [...parts.map(textOf), SIGNATURE].join('\n\n')
  return { subject, text: `${text}\n`, html: page(subject, parts.map(htmlOf).join('')) }
}

function textOf(part: Part): string {
  if ('line' in part) return part.line
  return 'code' in part ? part.code : `${part.label}:\n${part.link}`
}

function htmlOf(part: Part): string {
  if ('line' in part) return `<p style="margin:0 0 16px">${escapeHtml(part.line)}</p>`
  if ('code' in part) {
    const style = 'margin:0 0 16px;font-size:32px;font-weight:700;letter-spacing:6px;color:#b3441e'
    return `<p style="${style}">${escapeHtml(part.code)}</p>`
  }
  const style =
    'display:inline-block;padding:12px 20px;border-radius:999px;background:#b3441e;color:#fff;text-decoration:none'
  return `<p style="margin:0 0 16px"><a style="${style}" href="${escapeHtml(part.link)}">${escapeHtml(part.label)}</a></p>`
}

function page(title: string, body: string): string {
  const card = 'max-width:480px;margin:0 auto;padding:32px;border-radius:20px;background:#fff;color:#33221b'
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:24px;background:#fdf3ea;font-family:Georgia,serif;font-size:17px;line-height:1.5">
<div style="${card}">${body}<p style="margin:24px 0 0;color:#8a6f62">${SIGNATURE}</p></div></body></html>
`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
