import type { RequestContext } from '../lib/context.server.ts'

type Site = Pick<RequestContext, 'config'>
type Letter = { to: string; subject: string; text: string; html: string }

/** The code that confirms an address. */
export function signUpCodeMail(_site: Site, to: string, code: string): Letter {
  return letter(to, `${code} is your LetsBuzz code`, [
    'Welcome to LetsBuzz.',
    `Your verification code is ${code}. It works for 10 minutes.`,
    'If you did not ask for it, someone typed your address by mistake; nothing happens.',
  ])
}

/** For an address that has an account: the page says the same as for any other. */
export function alreadyMemberMail({ config }: Site, to: string): Letter {
  return letter(to, 'You already have a LetsBuzz account', [
    'Someone, probably you, tried to sign up with this address. You already have an account.',
    `Log in at ${config.publicUrl}/login, or choose a new password at ${config.publicUrl}/forgot-password.`,
    'If it was not you, nothing happens.',
  ])
}

/** A code for the page it was asked on, and a link that needs no code (security T8). */
export function resetMail({ config }: Site, to: string, issued: { code: string; linkToken: string }): Letter {
  return letter(to, `${issued.code} resets your LetsBuzz password`, [
    `Your verification code is ${issued.code}. It works for 10 minutes.`,
    `Or open this link: ${config.publicUrl}/forgot-password?link=${issued.linkToken}`,
    'If you did not ask for it, ignore this mail: your password stays as it is.',
  ])
}

function letter(to: string, subject: string, lines: readonly string[]): Letter {
  const html = lines.map((line) => `<p>${escaped(line)}</p>`).join('\n')
  return { to, subject, text: lines.join('\n\n'), html }
}

function escaped(line: string): string {
  const safe = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return safe.replace(/https?:\/\/\S+?(?=[,.]?(\s|$))/g, (url) => `<a href="${url}">${url}</a>`)
}
