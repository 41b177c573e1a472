import { z } from 'zod'
import type { AfterReset } from '../../../usecases/identity/after-reset.ts'
import { forgotPassword } from '../../../usecases/identity/forgot-password.ts'
import { type ResetFault, resetFaults, resetPassword } from '../../../usecases/identity/reset-password.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { undoSecondFactor } from '../../../usecases/second-factor/undo.ts'
import { readForm, refusedReply, replyWith } from '../../forms/form.server.ts'
import { MailCode } from '../../forms/schemas.server.ts'
import { forgetPendingCode, type PendingCode } from '../../request/pending-code.server.ts'
import { deviceCookie } from '../../request/session-cookie.server.ts'
import { codeAsked } from '../../ui/auth/code-asked.server.ts'
import { DEAD_LINK, type ForgotReply } from '../../ui/auth/forgot-password.tsx'
import {
  FORGOT_WORDS,
  INVALID_CODE,
  RESET_DONE,
  RESET_SENT,
  resetWords,
  UNDO_DONE,
  UNDO_LINK_DEAD,
  VERIFY_CODE_WORDS,
} from '../../words/auth-words.ts'
import type { WordTable } from '../../words/words.ts'

const RequestForm = z.object({ email: z.string().default('') })
const ResetForm = z.object({
  email: z.string().optional(),
  code: MailCode.optional(),
  link: z.string().optional(),
  /** What the link does, as the page announced it. */
  undoes: z.string().optional(),
  newPassword: z.string().default(''),
  confirm: z.string().default(''),
})

type Replied = { reply: ForgotReply; headers?: HeadersInit }

/** Mails a code, or sets the new password with it, or with the link of a mail. */
export async function forgotPasswordAction(
  ports: Ports,
  form: FormData,
  pending: PendingCode | null,
): Promise<Replied> {
  if (form.get('intent') !== 'reset') return request(ports, form, pending)
  return reset(ports, form)
}

async function request(ports: Ports, form: FormData, pending: PendingCode | null): Promise<Replied> {
  const asked = readForm(form, RequestForm, {})
  if (!asked.ok) return asked
  const { email } = asked.value
  const outcome = await forgotPassword(ports, { email })
  const [now, words] = [ports.now(), FORGOT_WORDS]
  return codeAsked(form, { purpose: 'reset', email, pending, now, outcome, sent: RESET_SENT, words })
}

async function reset(ports: Ports, form: FormData): Promise<Replied> {
  const sent = readForm(form, ResetForm, {})
  if (!sent.ok) return sent
  const { link } = sent.value
  const faults = await resetFaults(ports, sent.value)
  if (faults.length > 0) return { reply: faultyReply(ports, form, faults) }
  const undoes = link !== undefined && (await ports.undoLinks.find(link)) !== null
  const outcome = await (undoes ? undoSecondFactor(ports, { ...sent.value, link }) : resetPassword(ports, sent.value))
  if (outcome.ok) {
    const reply = replyWith(form, 200, {}, { done: { message: undoes ? UNDO_DONE : RESET_DONE } })
    return { reply, headers: await afterResetHeaders(outcome.value) }
  }
  if (link === undefined || outcome.reason !== 'invalid-code')
    return { reply: refusedReply(form, resetWords(ports.config), outcome) }
  // No field of the form helps any more.
  const fields = { '': sent.value.undoes ? UNDO_LINK_DEAD : INVALID_CODE }
  return { reply: replyWith(form, 400, fields, { code: DEAD_LINK }) }
}

async function afterResetHeaders({ device }: AfterReset): Promise<Headers> {
  const headers = new Headers({ 'Set-Cookie': await forgetPendingCode('reset') })
  if (device) headers.append('Set-Cookie', await deviceCookie(device))
  return headers
}

/** What is wrong, each beside its field. */
function faultyReply({ config }: Ports, form: FormData, faults: readonly ResetFault[]): ForgotReply {
  const words: WordTable<ResetFault> = {
    ...resetWords(config),
    'malformed-code': VERIFY_CODE_WORDS['malformed-code'],
  }
  const fields = faults.map((fault) => [words[fault].field ?? '', words[fault].error])
  return replyWith(form, 400, Object.fromEntries(fields))
}
