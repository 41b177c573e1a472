import type { CodePurpose } from '../../../services/codes.ts'
import type { Outcome } from '../../../usecases/outcome.ts'
import { refusedReply, replyWith } from '../../forms/form.server.ts'
import type { FormReply } from '../../forms/reply.ts'
import { keepPendingCode, type PendingCode } from '../../request/pending-code.server.ts'
import type { WordTable } from '../../words/words.ts'
import { CODE_ISSUED } from './auth-frame.tsx'
import type { CodeSent } from './resend-code.tsx'

type Asked<R extends string> = {
  readonly purpose: CodePurpose
  readonly email: string
  /** The code that this browser asked for before. */
  readonly pending: PendingCode | null
  readonly now: Date
  readonly outcome: Outcome<unknown, R>
  readonly sent: string
  readonly words: WordTable<R>
}

/** Answers a form that asked for a code; a browser that waits for one stays at it, and keeps that through a reload. */
export async function codeAsked<R extends string>(
  form: FormData,
  { purpose, email: entered, pending, now, outcome, sent, words }: Asked<R>,
): Promise<{ reply: FormReply<CodeSent>; headers?: HeadersInit }> {
  // Blanks around it would make the cookie as long as the form.
  const email = entered.trim()
  const keep = async (waitMs?: number) => ({ 'Set-Cookie': await keepPendingCode(purpose, email, now, waitMs) })
  if (outcome.ok) {
    const done = { message: sent, sentAt: now.toISOString() }
    return { reply: replyWith(form, 200, {}, { done }), headers: await keep() }
  }
  const reply = refusedReply(form, words, outcome)
  const holdsOne = outcome.reason === 'slow-down' && pending?.email === email
  if (outcome.reason !== 'code-issued' && !holdsOne) return { reply }
  return { reply: { ...reply, code: CODE_ISSUED }, headers: await keep(reply.retryInMs) }
}
