import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { Form, Link, useActionData, useLoaderData, useNavigate } from '@remix-run/react'
import { useCallback } from 'react'
import type { Refusal } from '../../../usecases/answer.ts'
import { forgotPassword } from '../../../usecases/identity/forgot-password.ts'
import { resetPassword } from '../../../usecases/identity/reset-password.ts'
import { readForm } from '../../forms/forms.server.ts'
import { useSaid } from '../../forms/use-said.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { requireAnonymous } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import type { ShellHandle } from '../../shell/shell.ts'
import { AuthFrame } from '../../ui/auth/auth-frame.tsx'
import { type ForgotData, ForgotPassword } from '../../ui/auth/forgot-password.tsx'

export const handle: ShellHandle = { frame: 'bare' }
export const meta = () => pageTitle('Forgot password')

/** The mail's link opens the page on its second step; nothing is used up by looking. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAnonymous(context)
  const link = new URL(request.url).searchParams.get('link')
  const live = link !== null && (await context.codes.peekLink('reset', link)) !== null
  return { link: live ? link : null, expired: link !== null && !live }
}

export async function action({ request, context }: ActionFunctionArgs) {
  await requireAnonymous(context)
  const form = await readForm(context, request)
  const answer = form.get('intent') === 'reset' ? await reset(context, form) : await ask(context, form)
  const { status, ...said } = answer
  return data(said, { status })
}

type Said = ForgotData & { status: number }

async function ask(context: RequestContext, form: FormData): Promise<Said> {
  const email = String(form.get('email') ?? '').trim()
  const answer = await forgotPassword(context, { email })
  if (answer.ok) return { stage: 'verify', email, message: answer.value.message, status: 200 }
  return { stage: 'request', email, fields: { 'forgot-email': answer.error }, status: answer.status }
}

async function reset(context: RequestContext, form: FormData): Promise<Said> {
  const input = Object.fromEntries(form)
  const email = String(input.email ?? '')
  const answer = await resetPassword(context, { ...input, confirm: input.confirm ?? '' })
  if (answer.ok) return { stage: 'success', email, message: answer.value.message, status: 200 }
  return { stage: 'verify', email, fields: fieldsFor(answer), status: answer.status }
}

function fieldsFor({ error, fields }: Refusal): Record<string, string> {
  const { confirm, ...rest } = fields ?? {}
  const shown = { ...rest, ...(confirm && { 'forgot-confirm': confirm }) }
  return Object.keys(shown).length > 0 ? shown : { '': error }
}

export default function ForgotPasswordPage() {
  const { link, expired } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const navigate = useNavigate()
  const goToLogin = useCallback(() => navigate('/login', { replace: true }), [navigate])
  const first: ForgotData = {
    stage: link ? 'verify' : 'request',
    email: '',
    ...(expired && { fields: { '': 'Invalid or expired code.' } }),
  }
  const said = useSaid<ForgotData>(answer, first)
  return (
    <AuthFrame title="Forgot password">
      <ForgotPassword data={said} form={Form} link={link} onDone={goToLogin} />
      <p>
        <Link to="/login">Back to login</Link>
      </p>
    </AuthFrame>
  )
}
