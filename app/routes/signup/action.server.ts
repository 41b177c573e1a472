import { redirect } from '@remix-run/node'
import { z } from 'zod'
import { sendCode } from '../../../usecases/identity/send-code.ts'
import { verifyCode } from '../../../usecases/identity/verify-code.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { readForm, refusedReply, replyWith } from '../../forms/form.server.ts'
import { MailCode } from '../../forms/schemas.server.ts'
import { forgetPendingCode, type PendingCode } from '../../request/pending-code.server.ts'
import { proofCookie } from '../../request/session-cookie.server.ts'
import { codeAsked } from '../../ui/auth/code-asked.server.ts'
import { CODE_SENT, INVALID_CODE, SEND_CODE_WORDS, VERIFY_CODE_WORDS } from '../../words/auth-words.ts'
import type { SignUpReply } from './sign-up-forms.tsx'

const SendForm = z.object({ email: z.string().default('') })
const VerifyForm = z.object({ email: z.string().default(''), code: MailCode.default('') })

/** On the page there is a button for it. */
const VERIFY_WORDS = {
  ...VERIFY_CODE_WORDS,
  'invalid-code': { ...VERIFY_CODE_WORDS['invalid-code'], error: `${INVALID_CODE} Ask for a new one below.` },
}

type Replied = { reply: SignUpReply; headers?: HeadersInit }

/** Mails a code, or turns it into the right to register; `pending` is the one that this browser asked for before. */
export function signUpAction(ports: Ports, form: FormData, pending: PendingCode | null): Promise<Replied> {
  return form.get('intent') === 'verify' ? verify(ports, form) : send(ports, form, pending)
}

async function send(ports: Ports, form: FormData, pending: PendingCode | null): Promise<Replied> {
  const sent = readForm(form, SendForm, {})
  if (!sent.ok) return sent
  const { email } = sent.value
  const outcome = await sendCode(ports, { email })
  const [now, words] = [ports.now(), SEND_CODE_WORDS]
  return codeAsked(form, { purpose: 'signup', email, pending, now, outcome, sent: CODE_SENT, words })
}

/** Without script the wizard opens at once; with it the page first announces that the address is verified. */
async function verify(ports: Ports, form: FormData): Promise<Replied> {
  const sent = readForm(form, VerifyForm, {})
  if (!sent.ok) return sent
  const outcome = await verifyCode(ports, sent.value)
  if (!outcome.ok) return { reply: refusedReply(form, VERIFY_WORDS, outcome) }
  const headers = new Headers({ 'Set-Cookie': await proofCookie(outcome.value.signupToken) })
  headers.append('Set-Cookie', await forgetPendingCode('signup'))
  if (!form.has('live')) throw redirect('/register', { headers })
  return { reply: replyWith(form, 200, {}, { done: {} }), headers }
}
