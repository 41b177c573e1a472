import { redirect } from '@remix-run/node'
import { stepNumber, stepOf } from '../../../domain/identity/sign-up-steps.ts'
import { GENDERS, LOOKING_FOR, LOOKING_FOR_LABELS } from '../../../domain/profile/choices.ts'
import { MIN_AGE } from '../../../domain/profile/limits.ts'
import { OFFERED_MILES, offeredAges } from '../../../domain/profile/offered.ts'
import { ageOn } from '../../../domain/shared/dates.ts'
import { type Draft, inOrder, nextStep, openDraft, payloadOf } from '../../../usecases/register/draft.ts'
import { signUpOf, type VisitorProof } from '../../../usecases/register/proof.ts'
import { Basics } from '../../../usecases/register/rules.ts'
import { type DraftMedia, uploadsOf } from '../../../usecases/register/uploads.ts'
import { constraintsOf } from '../../forms/form.server.ts'
import type { Constraints, FormReply } from '../../forms/reply.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { INTEREST_GROUPS } from '../../ui/profile/interest-groups.ts'
import { passwordWords } from '../../words/password-words.ts'
import { INCOMPLETE, INVALID_DOB, PASSWORDS_DIFFER, problemWords } from '../../words/registration-words.server.ts'
import { PHOTO_GUIDANCE } from './photo-guidance.ts'
import { stepPath } from './steps.ts'

/** The fields of the first step, each left empty. */
const ALL_MISSING = {
  firstName: 'wrong',
  lastName: 'wrong',
  password: 'wrong',
  confirm: 'differs',
  dob: 'wrong',
  gender: 'wrong',
  lookingFor: 'wrong',
  interestedIn: 'wrong',
} as const
const INTEREST_SECTIONS = INTEREST_GROUPS.map(({ title, icon, interests }) => ({
  title,
  icon,
  choices: interests.map((value) => ({ value, label: value })),
}))
/** What the page offers comes with it, so that its script is small. */
const CHOICES = {
  genders: GENDERS.map((value) => ({ value, label: value })),
  lookingFor: LOOKING_FOR.map((value) => ({ value, label: LOOKING_FOR_LABELS[value] })),
}
/** Shown as the reply to a form. */
const UNFINISHED: FormReply<never> = { status: INCOMPLETE.status, fields: { '': INCOMPLETE.error }, values: {} }
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
    as: signUpOf(proof),
    incomplete: url.searchParams.has('incomplete') ? UNFINISHED : null,
    email: proof.email,
    steps: draft.steps,
    // What is not finished yet may be no date.
    born: step === 'review' && draft.steps.basics ? dateInWords(draft.steps.basics.dob) : '',
    defaults: draft.steps[step] ?? (step === 'preferences' ? offeredTo(draft.steps, context.now()) : {}),
    hasPassword: draft.passwordHash !== null,
    byGoogle: proof.googleKey !== null,
    passwordMin: context.config.passwordMin,
    choices: CHOICES,
    guidance: PHOTO_GUIDANCE,
    sections: step === 'interests' ? INTEREST_SECTIONS : [],
    constraints: basicsConstraints(context, draft.passwordHash === null && proof.googleKey === null),
    sentences: {
      dob: INVALID_DOB,
      password: passwordWords(context.config, 'password')['too-short'].error,
      confirm: PASSWORDS_DIFFER,
    },
    missing: problemWords(context.config, ALL_MISSING),
    ...shown(inOrder(uploads, draft.steps), payloadOf(draft, uploads).avatar),
  }
}

/** Whom to meet, until the visitor chooses: people about as old as they are, not too far away. */
function offeredTo({ basics }: Draft['steps'], today: Date) {
  if (!basics?.dob) return {}
  const [ageMin, ageMax] = offeredAges(ageOn(basics.dob, today)).map(String)
  return { ageMin, ageMax, distanceMiles: String(OFFERED_MILES) }
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

/** '17 May 1994' of 1994-05-17. */
function dateInWords(date: string): string {
  const format = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat('en-GB', format).format(new Date(`${date}T00:00:00Z`))
}
