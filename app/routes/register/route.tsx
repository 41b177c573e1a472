import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from '@remix-run/react'
import { stepOf } from '../../../domain/identity/sign-up-steps.ts'
import { formOf } from '../../forms/reply.ts'
import { sendForm } from '../../forms/send-form.ts'
import { requireProof } from '../../request/proof.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import type { ShellHandle } from '../../shell/shell.ts'
import { REGISTRATION_UNANSWERED } from '../../words/unanswered-pages.ts'
import { registerAction } from './action.server.ts'
import { loadWizard } from './loader.server.ts'
import { StepBasics } from './step-basics.tsx'
import { StepContact } from './step-contact.tsx'
import { StepInterests } from './step-interests.tsx'
import { StepPhotos } from './step-photos.tsx'
import { StepPreferences } from './step-preferences.tsx'
import { StepReview } from './step-review.tsx'
import { WizardFrame } from './wizard-frame.tsx'

export const handle: ShellHandle = { frame: 'bare' }
export const meta = () => pageTitle('Register')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const proof = await requireProof(context, request)
  return loadWizard(context, proof, new URL(request.url))
}

export async function action({ request, context }: ActionFunctionArgs) {
  const proof = await requireProof(context, request)
  const step = stepOf(new URL(request.url).searchParams.get('step') ?? 1)
  if (!step) throw redirect('/register')
  const reply = await registerAction({ context, request, proof }, step)
  return data(reply, reply.status)
}

export const clientAction = (args: ClientActionFunctionArgs) =>
  sendForm(isLast(args.request) ? { byIntent: REGISTRATION_UNANSWERED } : {})(args)

const isLast = ({ url }: Request) => stepOf(new URL(url).searchParams.get('step') ?? 1) === 'review'

function Step() {
  const {
    step,
    steps,
    defaults,
    sections,
    guidance,
    constraints,
    sentences,
    missing,
    media,
    voice,
    incomplete,
    ...page
  } = useLoaderData<typeof loader>()
  const parts = { reply: useActionData<typeof action>() ?? incomplete, constraints, defaults }
  const form = formOf(parts)
  switch (step) {
    case 'basics':
      return <StepBasics parts={parts} sentences={sentences} missing={missing} {...page} />
    case 'preferences':
      return <StepPreferences form={form} />
    case 'interests':
      return <StepInterests form={form} sections={sections} />
    case 'photos':
      return <StepPhotos form={form} media={media} guidance={guidance} />
    case 'contact':
      return <StepContact form={form} voice={voice} />
    case 'review':
      return (
        <StepReview
          {...page}
          form={form}
          steps={steps}
          media={media}
          voice={voice}
          lookingFor={page.choices.lookingFor}
        />
      )
  }
}

export default function Register() {
  const { step, as } = useLoaderData<typeof loader>()
  return (
    <WizardFrame step={step}>
      <Step key={step + as} />
    </WizardFrame>
  )
}
