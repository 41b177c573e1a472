import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { keepStep } from '../actions/register/wizard.server.ts'
import { stepOf } from '../components/wizard/steps.ts'
import { notFound } from '../lib/request/guards.server.ts'
import { requireProof } from '../lib/request/proof.server.ts'

export async function loader() {
  throw redirect('/')
}

/** What a visitor typed into a step so far, finished or not. */
export async function action({ request, context }: ActionFunctionArgs) {
  const proof = await requireProof(context, request)
  const step = stepOf(new URL(request.url).searchParams.get('step'))
  if (!step) throw notFound()
  await keepStep(context, proof, step, await request.formData())
  return new Response(null, { status: 204 })
}
