import { STEPS, type StepName, stepNumber } from '../../domain/identity/sign-up-steps.ts'
import type { MediaPurpose } from '../../domain/shared/media.ts'
import { networkOf } from '../../services/limits/network.ts'
import type { ReceivedFile } from '../../services/media/keep-file.ts'
import type { UploadRefusal } from '../../services/media/kinds.ts'
import type { PasswordRefusal } from '../../services/password-policy.ts'
import { passwordsDiffer } from '../identity/fit-password.ts'
import { hashNewPassword } from '../identity/new-password.ts'
import { uploadMedia } from '../media/upload-media.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import type { StepAnswers } from './answers.ts'
import { type Draft, type DraftProblems, openDraft, problemsOf, withStep } from './draft.ts'
import { isRefusedMinor, refuseMinor } from './minors.ts'
import type { VisitorProof } from './proof.ts'
import { judgeDob, type RegistrationField } from './rules.ts'
import { uploadsOf } from './uploads.ts'

export type SavingStep = {
  answers: StepAnswers
  /** Of the first step; both empty keep the password chosen before. */
  password?: { chosen: string; confirmed: string } | undefined
  /** What the form of the photos or of the voice intro brings along. */
  files?: readonly ReceivedFile[]
  /** Where the visitor wants to go; `stay` is to bring files alone. */
  go: 'on' | 'back' | 'stay'
}

/**
 * What is wrong with a field; `wrong` is whatever its rule refuses. Of the password, `again`: the name changed; `too-often`:
 * the visitor, or their connection, has chosen too many.
 */
export type StepProblem = 'wrong' | 'no-photo' | 'differs' | 'again' | 'too-often' | PasswordRefusal | UploadRefusal
export type StepProblems = Readonly<Partial<Record<RegistrationField, StepProblem>>>
/** `minor`: out, because they are not eighteen. `file`: what the first that was not kept is called. */
export type StepSaved =
  | Outcome<{ to: StepName }, 'minor'>
  | { readonly ok: false; readonly reason: 'wrong-answers'; readonly problems: StepProblems; readonly file?: string }

/** Keeps what one step sent and answers where to go. Going back keeps it too, finished or not. */
export async function saveStep(ports: Ports, proof: VisitorProof, saving: SavingStep): Promise<StepSaved> {
  const { answers, files = [], go } = saving
  const { step } = answers
  const { uploaded, file } = await takeFiles(ports, proof, step, files)
  const chosen = await chosenPassword(ports, proof, saving)
  const dob = answers.step === 'basics' ? judgeDob(answers.dob, ports.now()) : 'ok'
  if (dob === 'minor' || (step === 'basics' && (await isRefusedMinor(ports, proof.emailKey)))) {
    await refuseMinor(ports, proof)
    return refused('minor')
  }
  const { draft, password } = await keep(ports, proof, answers, chosen)
  if (go === 'back') return done({ to: neighbour(step, -1) })
  const drafted = go === 'on' ? problemsOf(step, draft, await uploadsOf(ports, proof)) : {}
  const date: DraftProblems = dob === 'invalid' ? { dob: 'wrong' } : {}
  const problems = { ...drafted, ...date, ...password, ...uploaded }
  if (Object.keys(problems).length > 0) return { ok: false, reason: 'wrong-answers', problems, ...(file && { file }) }
  return done({ to: go === 'on' ? neighbour(step, 1) : step })
}

function neighbour(step: StepName, way: 1 | -1): StepName {
  return STEPS[stepNumber(step) - 1 + way] ?? step
}

/** The first file that was not kept gives the reason. */
async function takeFiles(
  ports: Ports,
  proof: VisitorProof,
  step: StepName,
  files: readonly ReceivedFile[],
): Promise<{ uploaded: StepProblems; file?: string | undefined }> {
  if (step !== 'photos' && step !== 'contact') return { uploaded: {} }
  const purpose: MediaPurpose = step === 'photos' ? 'photo' : 'voice'
  const refusals: { reason: UploadRefusal; file: string | undefined }[] = []
  for (const file of files) {
    const outcome = await uploadMedia(ports, { proof: proof.id }, { file, purpose })
    if (!outcome.ok) refusals.push({ reason: outcome.reason, file: file.fileName })
  }
  const [first] = refusals
  if (!first) return { uploaded: {} }
  return { uploaded: { [step === 'photos' ? 'photos' : 'voiceUrl']: first.reason }, file: first.file }
}

/** The password of the first step: a new one, as its hash, what is wrong with it, or null where none was typed. */
type Chosen = { hash: string } | { problems: StepProblems } | null

async function chosenPassword(ports: Ports, proof: VisitorProof, { answers, password }: SavingStep): Promise<Chosen> {
  if (answers.step !== 'basics' || !password || (!password.chosen && !password.confirmed)) return null
  const { firstName, lastName } = answers
  const { chosen, confirmed } = password
  if (passwordsDiffer(chosen, confirmed)) return { problems: { confirm: 'differs' } }
  const verdict = await ports.checkPassword(chosen, { email: proof.email, firstName, lastName })
  if (!verdict.ok) return { problems: { password: verdict.reason } }
  const hashed = await hashNewPassword(ports, chosen, [proof.id, networkOf(ports.ip)])
  return hashed.ok ? { hash: hashed.value } : { problems: { password: 'too-often' } }
}

/** `password`: what is wrong with it. */
type Kept = { draft: Draft; password: StepProblems }

/** Beside what other tabs have sent meanwhile. */
async function keep(ports: Ports, proof: VisitorProof, answers: StepAnswers, chosen: Chosen): Promise<Kept> {
  const byGoogle = proof.googleKey !== null
  const had = openDraft(proof.draft).passwordHash !== null
  const keptOver = (stored: unknown) => withPassword(openDraft(stored), answers, chosen, { byGoogle, had })
  let kept = keptOver(proof.draft)
  await ports.proofs.changeDraft(proof.token, (stored) => {
    kept = keptOver(stored)
    return kept.draft
  })
  return kept
}

/** Without a new password that of the draft stays, unless the name takes it away. `had`: there was one on the page. */
function withPassword(
  before: Draft,
  answers: StepAnswers,
  chosen: Chosen,
  visitor: { byGoogle: boolean; had: boolean },
): Kept {
  const draft = withStep(before, answers)
  if (answers.step !== 'basics') return { draft, password: {} }
  if (chosen) {
    return 'hash' in chosen
      ? { draft: { ...draft, passwordHash: chosen.hash }, password: {} }
      : { draft, password: chosen.problems }
  }
  if (draft.passwordHash !== null) return { draft, password: {} }
  if (before.passwordHash === null && visitor.byGoogle) return { draft, password: {} }
  return { draft, password: { password: before.passwordHash === null && !visitor.had ? 'wrong' : 'again' } }
}
