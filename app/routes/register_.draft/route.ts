import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { stepOf } from '../../../domain/identity/sign-up-steps.ts'
import { keepStep } from '../../../usecases/register/wizard.ts'
import { readForm } from '../../forms/forms.server.ts'
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
  await keepStep(context, proof, step, await readForm(context, request))
  return new Response(null, { status: 204 })
}
