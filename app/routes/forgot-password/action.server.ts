import { z } from 'zod'
import { forgotPassword } from '../../../usecases/identity/forgot-password.ts'
import { resetPassword } from '../../../usecases/identity/reset-password.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { readForm, refusedReply, replyWith } from '../../forms/form.server.ts'
import type { ForgotReply } from '../../ui/auth/forgot-password.tsx'
import { FORGOT_WORDS, RESET_DONE, RESET_SENT, resetWords } from '../../words/auth-words.ts'

const RequestForm = z.object({ email: z.string().default('') })
const ResetForm = z.object({
  email: z.string().optional(),
  code: z.string().optional(),
  link: z.string().optional(),
  newPassword: z.string().default(''),
  confirm: z.string().default(''),
})

/** Mails a code, or sets the new password with it. */
export function forgotPasswordAction(ports: Ports, form: FormData): Promise<ForgotReply> {
  return form.get('intent') === 'reset' ? reset(ports, form) : request(ports, form)
}

async function request(ports: Ports, form: FormData): Promise<ForgotReply> {
  const sent = readForm(form, RequestForm, {})
  if (!sent.ok) return sent.reply
  const outcome = await forgotPassword(ports, sent.value)
  return outcome.ok
    ? replyWith(form, 200, {}, { done: { message: RESET_SENT } })
    : refusedReply(form, FORGOT_WORDS, outcome)
}

async function reset(ports: Ports, form: FormData): Promise<ForgotReply> {
  const sent = readForm(form, ResetForm, {})
  if (!sent.ok) return sent.reply
  const outcome = await resetPassword(ports, sent.value)
  return outcome.ok
    ? replyWith(form, 200, {}, { done: { message: RESET_DONE } })
    : refusedReply(form, resetWords(ports.config), outcome)
}
