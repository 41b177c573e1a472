import { z } from 'zod'
import { forgotPassword } from '../../../usecases/identity/forgot-password.ts'
import { resetPassword } from '../../../usecases/identity/reset-password.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { undoSecondFactor } from '../../../usecases/second-factor/undo.ts'
import { readForm, refusedReply, replyWith } from '../../forms/form.server.ts'
import { DEAD_LINK, type ForgotReply } from '../../ui/auth/forgot-password.tsx'
import {
  FORGOT_WORDS,
  INVALID_CODE,
  RESET_DONE,
  RESET_SENT,
  resetWords,
  UNDO_DONE,
  UNDO_LINK_DEAD,
} from '../../words/auth-words.ts'

const RequestForm = z.object({ email: z.string().default('') })
const ResetForm = z.object({
  email: z.string().optional(),
  code: z.string().optional(),
  link: z.string().optional(),
  /** What the link does, as the page announced it. */
  undoes: z.string().optional(),
  newPassword: z.string().default(''),
  confirm: z.string().default(''),
})

/** Mails a code, or sets the new password with it, or with the link of a mail. */
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
  const { link } = sent.value
  const undoes = link !== undefined && (await ports.undoLinks.find(link)) !== null
  const outcome = await (undoes ? undoSecondFactor(ports, { ...sent.value, link }) : resetPassword(ports, sent.value))
  if (outcome.ok) return replyWith(form, 200, {}, { done: { message: undoes ? UNDO_DONE : RESET_DONE } })
  if (link === undefined || outcome.reason !== 'invalid-code')
    return refusedReply(form, resetWords(ports.config), outcome)
  // No field of the form helps any more.
  return replyWith(form, 400, { '': sent.value.undoes ? UNDO_LINK_DEAD : INVALID_CODE }, { code: DEAD_LINK })
}
