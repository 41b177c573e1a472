import { redirect } from '@remix-run/node'
import { z } from 'zod'
import { giveCode } from '../../../usecases/second-factor/give-code.ts'
import { readForm, refusedReply } from '../../forms/form.server.ts'
import { receiveFields } from '../../forms/receive-form.server.ts'
import type { FormReply } from '../../forms/reply.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { loginPath } from '../../request/return-to.ts'
import { challengeOf, deviceLabel, deviceOf, noChallengeCookie } from '../../request/session-cookie.server.ts'
import { signedIn } from '../../request/sign-in.server.ts'
import { GIVE_CODE_WORDS } from '../../words/second-factor-words.ts'

const CodeForm = z.object({ code: z.string().max(64).default('') })
const FIELDS = { code: GIVE_CODE_WORDS['wrong-code'].error }

/** Ends the sign-in by its code, and redirects to where the visitor came from; back to the login where none can end it. */
export async function codeAction(context: RequestContext, request: Request, redirectTo: string): Promise<FormReply> {
  const over = loginPath(redirectTo, { over: '' })
  const challenge = await challengeOf(request)
  if (!challenge) throw redirect(over)
  const form = await receiveFields(context, request)
  const sent = readForm(form, CodeForm, FIELDS)
  if (!sent.ok) return sent.reply
  const browser = { device: await deviceOf(request), label: deviceLabel(request) }
  const outcome = await giveCode(context, { ...sent.value, challenge, ...browser })
  if (outcome.ok) throw await ended(await signedIn(outcome.value, redirectTo))
  if (outcome.reason === 'sign-in-over') throw await ended(redirect(over))
  return refusedReply(form, GIVE_CODE_WORDS, outcome)
}

/** The same for a browser whose challenge is of no more use. */
export async function ended(response: Response): Promise<Response> {
  response.headers.append('Set-Cookie', await noChallengeCookie())
  return response
}
