import { redirect } from '@remix-run/node'
import { Authenticator } from 'remix-auth'
import { FormStrategy } from 'remix-auth-form'
import { z } from 'zod'
import { logIn } from '../../../usecases/identity/log-in.ts'
import { readForm, refusedReply } from '../../forms/form.server.ts'
import { receiveFields } from '../../forms/receive-form.server.ts'
import type { FormReply } from '../../forms/reply.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { deviceLabel, deviceOf } from '../../request/session-cookie.server.ts'
import { askForCode, signedIn } from '../../request/sign-in.server.ts'
import { LOG_IN_WORDS } from '../../words/auth-words.ts'

const LogInForm = z.object({
  email: z.string(),
  password: z.string(),
  remember: z.literal('yes').optional().catch(undefined),
  redirectTo: z.string().optional(),
})

const FIELDS = { email: 'Enter your e-mail address.', password: 'Enter your password.' }

/**
 * For a form from before another tab signed in: one for another account leads to the page of who is signed in, which names
 * them; one for the same account goes on as by any way to the login.
 */
export async function requireOwnAccount(context: RequestContext, request: Request): Promise<void> {
  const who = await context.viewer()
  if (who?.status !== 'active') return
  const email = (await receiveFields(context, request)).get('email')
  const own = await context.credentials.findByMember(who.member)
  const isOther = typeof email === 'string' && own?.emailKey !== context.credentials.emailKey(email)
  if (isOther) throw redirect('/profile?signed-in')
}

/** A refusal is a reply like any other: the strategy throws nothing for it. */
type SignIn = { readonly next: Response } | { readonly refused: FormReply }

/** Signs in and redirects to where the visitor came from, perhaps by the page that asks for a code. */
export async function logInAction(context: RequestContext, request: Request): Promise<FormReply> {
  const strategy = new FormStrategy<SignIn>(({ form }) => verify(context, request, form))
  // The strategy reads a body of its own, without limits.
  const fields = await receiveFields(context, request)
  const body = new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]))
  const received = new Request(request.url, { method: 'POST', body })
  const signIn = await new Authenticator<SignIn>().use(strategy).authenticate(strategy.name, received)
  if ('next' in signIn) throw signIn.next
  return signIn.refused
}

async function verify(context: RequestContext, request: Request, form: FormData): Promise<SignIn> {
  const sent = readForm(form, LogInForm, FIELDS)
  if (!sent.ok) return { refused: sent.reply }
  const { email, password, remember, redirectTo } = sent.value
  const browser = { device: await deviceOf(request), label: deviceLabel(request) }
  const outcome = await logIn(context, { email, password, remember: remember === 'yes', ...browser })
  if (!outcome.ok && outcome.challenge) return { next: await askForCode(outcome.challenge, redirectTo) }
  if (!outcome.ok) return { refused: refusedReply(form, LOG_IN_WORDS, outcome) }
  return { next: await signedIn(outcome.value, redirectTo) }
}
