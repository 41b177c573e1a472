import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { stepNumber, stepOf, stepPath } from '../../../domain/identity/sign-up-steps.ts'
import { MIN_AGE } from '../../../domain/profile/limits.ts'
import type { Fields } from '../../../usecases/answer.ts'
import { uploadsOf } from '../../../usecases/media/upload-media.ts'
import { type DraftMedia, nextStep, openDraft, payloadOf } from '../../../usecases/register/draft.ts'
import type { VisitorProof } from '../../../usecases/register/proof.ts'
import { registerFromDraft } from '../../../usecases/register/register.ts'
import { saveStep } from '../../../usecases/register/wizard.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { requireProof } from '../../request/proof.server.ts'
import {
  deviceCookie,
  deviceLabel,
  deviceOf,
  noProofCookie,
  sessionCookie,
} from '../../request/session-cookie.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import type { ShellHandle } from '../../shell/shell.ts'
import { StepBasics } from './step-basics.tsx'
import { StepContact } from './step-contact.tsx'
import { StepInterests } from './step-interests.tsx'
import { StepPhotos } from './step-photos.tsx'
import { StepPreferences } from './step-preferences.tsx'
import { StepReview } from './step-review.tsx'
import { WizardFrame } from './wizard-frame.tsx'

export const handle: ShellHandle = { frame: 'bare' }
export const meta = () => pageTitle('Register')

/** A step that is not reached yet leads to the one that waits; `/register` alone leads there too. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const proof = await requireProof(context, request)
  const uploads = await uploadsOf(context, proof)
  const draft = openDraft(proof.draft)
  const waiting = nextStep(draft, uploads)
  const asked = new URL(request.url).searchParams.get('step')
  const step = stepOf(asked ?? stepNumber(waiting))
  if (!step || stepNumber(step) > stepNumber(waiting)) throw redirect(stepPath(waiting))
  return {
    step,
    email: proof.email,
    values: draft.values,
    hasPassword: draft.passwordHash !== null,
    byGoogle: proof.googleKey !== null,
    passwordMin: context.config.passwordMin,
    latestDob: latestDob(context.now()),
    ...shown(uploads, payloadOf(draft, uploads).avatar),
  }
}

/** The last day on which someone who is eighteen on `today` was born. */
function latestDob(today: Date): string {
  const date = new Date(Date.UTC(today.getUTCFullYear() - MIN_AGE, today.getUTCMonth(), today.getUTCDate()))
  return date.toISOString().slice(0, 10)
}

/** The first picture is the avatar until another is chosen (spec 1 §5). */
function shown(uploads: readonly DraftMedia[], avatar: string | null) {
  const first = uploads.find((item) => item.kind === 'image')
  const url = (id: string) => `/register/media/${id}`
  const media = uploads.flatMap(({ id, kind }) => {
    const isAvatar = avatar ? avatar === `/media/${id}` : id === first?.id
    return kind === 'audio' ? [] : [{ id, kind, url: url(id), isAvatar }]
  })
  const voice = uploads.findLast((item) => item.kind === 'audio')
  return { media, voice: voice ? { id: voice.id, url: url(voice.id) } : null }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const proof = await requireProof(context, request)
  const step = stepOf(new URL(request.url).searchParams.get('step') ?? 1)
  if (!step) throw redirect('/register')
  const form = await request.formData()
  if (step === 'review' && form.get('go') === 'on') return finish(context, proof, request)
  const saved = await saveStep(context, proof, step, form)
  if (!saved.ok) return data({ fields: saved.fields ?? { '': saved.error } }, { status: saved.status })
  if (saved.value === 'minor') throw await turnedAway()
  throw redirect(stepPath(saved.value.to))
}

async function turnedAway(): Promise<Response> {
  return redirect('/signup?refused=age', { headers: { 'Set-Cookie': await noProofCookie() } })
}

async function finish(context: RequestContext, proof: VisitorProof, request: Request) {
  const answer = await registerFromDraft(context, proof, { label: deviceLabel(request) })
  if (answer.ok) {
    // This browser has signed in from now on.
    const { device } = await context.loginGuard.succeeded({ emailKey: proof.emailKey, device: await deviceOf(request) })
    const headers = new Headers()
    headers.append('Set-Cookie', await deviceCookie(device))
    headers.append('Set-Cookie', await sessionCookie(answer.value.token, true))
    headers.append('Set-Cookie', await noProofCookie())
    throw redirect('/discover', { headers })
  }
  if (answer.code === 'minor') throw await turnedAway()
  const fields: Fields = { '': answer.error }
  return data({ fields }, { status: answer.status })
}

function Step() {
  const { step, ...page } = useLoaderData<typeof loader>()
  const errors: Fields = useActionData<typeof action>()?.fields ?? {}
  const props = { ...page, errors }
  switch (step) {
    case 'basics':
      return <StepBasics {...props} />
    case 'preferences':
      return <StepPreferences {...props} />
    case 'interests':
      return <StepInterests {...props} />
    case 'photos':
      return <StepPhotos {...props} />
    case 'contact':
      return <StepContact {...props} />
    case 'review':
      return <StepReview {...props} />
  }
}

export default function Register() {
  const { step } = useLoaderData<typeof loader>()
  return (
    <WizardFrame step={step}>
      <Step key={step} />
    </WizardFrame>
  )
}
