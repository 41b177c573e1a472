import { redirect } from '@remix-run/node'
import { stepNumber, stepOf } from '../../../domain/identity/sign-up-steps.ts'
import { MIN_AGE } from '../../../domain/profile/limits.ts'
import { nextStep, openDraft, payloadOf } from '../../../usecases/register/draft.ts'
import type { VisitorProof } from '../../../usecases/register/proof.ts'
import { Basics } from '../../../usecases/register/rules.ts'
import { type DraftMedia, uploadsOf } from '../../../usecases/register/uploads.ts'
import { constraintsOf } from '../../forms/form.server.ts'
import type { Constraints } from '../../forms/reply.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { passwordWords } from '../../words/password-words.ts'
import { INCOMPLETE, INVALID_DOB, PASSWORDS_DIFFER } from '../../words/registration-words.server.ts'
import { stepPath } from './steps.ts'

const EARLIEST_DOB = '1900-01-01'

/** What the wizard shows. A step that is not reached yet leads to the one that waits; so does no step at all. */
export async function loadWizard(context: RequestContext, proof: VisitorProof, url: URL) {
  const uploads = await uploadsOf(context, proof)
  const draft = openDraft(proof.draft)
  const waiting = nextStep(draft, uploads)
  const step = stepOf(url.searchParams.get('step') ?? stepNumber(waiting))
  if (!step || stepNumber(step) > stepNumber(waiting)) throw redirect(stepPath(waiting))
  return {
    step,
    incomplete: url.searchParams.has('incomplete') ? INCOMPLETE : null,
    email: proof.email,
    steps: draft.steps,
    hasPassword: draft.passwordHash !== null,
    byGoogle: proof.googleKey !== null,
    passwordMin: context.config.passwordMin,
    constraints: basicsConstraints(context, draft.passwordHash === null && proof.googleKey === null),
    sentences: {
      dob: INVALID_DOB,
      password: passwordWords(context.config, 'password')['too-short'].error,
      confirm: PASSWORDS_DIFFER,
    },
    ...shown(uploads, payloadOf(draft, uploads).avatar),
  }
}

/** What the browser may judge by itself, and attributes of the fields. */
function basicsConstraints({ config, now }: RequestContext, mustChoose: boolean): Constraints {
  return {
    ...constraintsOf(Basics),
    dob: { required: true, min: EARLIEST_DOB, max: latestDob(now()) },
    password: { required: mustChoose, minLength: config.passwordMin },
    confirm: { required: mustChoose },
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
