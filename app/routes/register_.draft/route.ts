import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { stepOf } from '../../../domain/identity/sign-up-steps.ts'
import { StepAnswers } from '../../../usecases/register/answers.ts'
import { keepStep } from '../../../usecases/register/keep-step.ts'
import { readForm } from '../../forms/form.server.ts'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { notFound } from '../../request/guards.server.ts'
import { requireProof } from '../../request/proof.server.ts'

export async function loader() {
  throw redirect('/')
}

/** What a visitor typed into a step so far, finished or not. */
export async function action({ request, context }: ActionFunctionArgs) {
  const proof = await requireProof(context, request)
  const step = stepOf(new URL(request.url).searchParams.get('step'))
  if (!step) throw notFound()
  const form = await receiveFields(context, request, proof)
  form.set('step', step)
  const sent = readForm(form, StepAnswers, {})
  if (sent.ok) await keepStep(context, proof, sent.value)
  return new Response(null, { status: 204 })
}
