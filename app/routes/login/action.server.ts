import { redirect } from '@remix-run/node'
import { z } from 'zod'
import { logIn } from '../../../usecases/identity/log-in.ts'
import { readForm, refusedReply } from '../../forms/form.server.ts'
import type { FormReply } from '../../forms/reply.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { ownPath } from '../../request/return-to.ts'
import { deviceCookie, deviceLabel, deviceOf, sessionCookie } from '../../request/session-cookie.server.ts'
import { LOG_IN_WORDS } from '../../words/auth-words.ts'

const LogInForm = z.object({
  email: z.string().default(''),
  password: z.string().default(''),
  remember: z.literal('yes').optional().catch(undefined),
  redirectTo: z.string().optional(),
})

/** Signs in and goes on to where the visitor came from. */
export async function logInAction(context: RequestContext, request: Request): Promise<FormReply> {
  const form = await request.formData()
  const sent = readForm(form, LogInForm, {})
  if (!sent.ok) return sent.reply
  const { email, password, remember, redirectTo } = sent.value
  const browser = { device: deviceOf(request), label: deviceLabel(request) }
  const outcome = await logIn(context, { email, password, remember: remember === 'yes', ...browser })
  if (!outcome.ok) return refusedReply(form, LOG_IN_WORDS, outcome)
  const { token, session, device, status } = outcome.value
  const headers = new Headers()
  headers.append('Set-Cookie', sessionCookie(token, session.remember))
  headers.append('Set-Cookie', deviceCookie(device))
  throw redirect(status === 'deactivated' ? '/settings/delete' : ownPath(redirectTo ?? null), { headers })
}
