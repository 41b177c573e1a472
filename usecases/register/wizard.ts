import { STEPS, type StepName, stepNumber } from '../../domain/identity/sign-up-steps.ts'
import { type Answer, done, type Fields, refused } from '../answer.ts'
import { typed } from '../identity/email-address.ts'
import { filesOf, removeUpload, uploadMedia, uploadsOf } from '../media/upload-media.ts'
import type { Ports } from '../ports.ts'
import { type Draft, openDraft, problemsOf, withStep } from './draft.ts'
import { isRefusedMinor, refuseMinor } from './minors.ts'
import type { VisitorProof } from './proof.ts'
import { FIELD_ORDER, INVALID_DOB, judgeDob, passwordSentence } from './rules.ts'

/** Where the visitor goes next: a step, or out, because they are not eighteen. */
export type StepSaved = { to: StepName } | 'minor'

const PASSWORDS_DIFFER = 'Passwords do not match.'
const UPLOAD_FAILED = { photos: 'Photo upload failed. Please try again.', contact: 'Voice upload failed.' } as const

/** Keeps what one step sent and says where to go. Going back keeps it too, finished or not. */
export async function saveStep(
  context: Ports,
  proof: VisitorProof,
  step: StepName,
  form: FormData,
): Promise<Answer<StepSaved>> {
  const draft = withStep(openDraft(proof.draft), step, form)
  const uploaded = await takeFiles(context, proof, step, form)
  const unchanged: NewPassword = { hash: draft.passwordHash, fields: {} }
  const password = step === 'basics' ? await newPassword(context, proof, draft, form) : unchanged
  const kept = { ...draft, passwordHash: password.hash }
  const dob = step === 'basics' ? judgeDob(kept.values.dob?.[0], context.now()) : 'ok'
  if (dob === 'minor' || (step === 'basics' && (await isRefusedMinor(context, proof.emailKey)))) {
    await refuseMinor(context, proof)
    return done('minor')
  }
  await context.proofs.saveDraft(proof.token, kept)
  if (form.has('remove')) {
    await removeUpload(context, proof, typed(form.get('remove')))
    return done({ to: step })
  }
  if (form.get('go') === 'back') return done({ to: neighbour(step, -1) })
  const problems = form.get('go') === 'upload' ? null : problemsOf(step, kept, await uploadsOf(context, proof))
  const fields = inOrder({
    ...problems,
    ...password.fields,
    ...uploaded,
    ...(dob === 'invalid' && { dob: INVALID_DOB }),
  })
  if (Object.keys(fields).length > 0) return refused(400, Object.values(fields)[0] ?? '', { fields })
  return done({ to: form.get('go') === 'upload' ? step : neighbour(step, 1) })
}

/** Keeps what one step holds so far; the step itself, sent meanwhile, stands. */
export async function keepStep(context: Ports, proof: VisitorProof, step: StepName, form: FormData): Promise<void> {
  await context.proofs.changeDraft(proof.token, (draft) => withStep(openDraft(draft), step, form))
}

function neighbour(step: StepName, way: 1 | -1): StepName {
  return STEPS[stepNumber(step) - 1 + way]?.name ?? step
}

/** The plain form brings its files along; what fails is said next to the field. */
async function takeFiles(context: Ports, proof: VisitorProof, step: StepName, form: FormData): Promise<Fields> {
  if (step !== 'photos' && step !== 'contact') return {}
  const [name, purpose] = step === 'photos' ? (['file', 'photo'] as const) : (['voice', 'voice'] as const)
  const errors: string[] = []
  for (const file of filesOf(form, name)) {
    const answer = await uploadMedia(context, { proof: proof.id }, { file, purpose })
    if (!answer.ok) errors.push(answer.error === 'Upload failed.' ? UPLOAD_FAILED[step] : answer.error)
  }
  return errors[0] ? { [step === 'photos' ? 'photos' : 'voiceUrl']: errors[0] } : {}
}

/** `hash` is what the draft keeps. */
type NewPassword = { hash: string | null; fields: Fields }

/** An empty pair keeps the password chosen before, as long as it was checked against the same name. */
async function newPassword(context: Ports, proof: VisitorProof, draft: Draft, form: FormData): Promise<NewPassword> {
  const [password, confirm] = [typed(form.get('password')), typed(form.get('confirm'))]
  const before = draft.passwordHash
  if (!password && !confirm) {
    const renamed = before !== null && !sameName(openDraft(proof.draft), draft)
    return renamed ? { hash: null, fields: AGAIN } : { hash: before, fields: before || proof.googleKey ? {} : MISSING }
  }
  if (password !== confirm) return { hash: before, fields: { confirm: PASSWORDS_DIFFER } }
  const [firstName = '', lastName = ''] = [draft.values.firstName?.[0], draft.values.lastName?.[0]]
  const verdict = await context.checkPassword(password, { email: proof.email, firstName, lastName })
  if (!verdict.ok)
    return { hash: before, fields: { password: passwordSentence(verdict.reason, context.config.passwordMin) } }
  return { hash: await context.passwords.hash(password), fields: {} }
}

/** As the page shows them, so that the list at its top reads like the page. */
function inOrder(fields: Fields): Fields {
  const place = (name: string) => FIELD_ORDER.indexOf(name)
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => place(a) - place(b)))
}

const MISSING: Fields = { password: 'Please choose a password.' }
const AGAIN: Fields = { password: 'Please enter your password again, since your name changed.' }

function sameName(a: Draft, b: Draft): boolean {
  return ['firstName', 'lastName'].every((name) => a.values[name]?.[0] === b.values[name]?.[0])
}
