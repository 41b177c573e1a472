import { redirect } from '@remix-run/node'
import { z } from 'zod'
import type { StepName } from '../../../domain/identity/sign-up-steps.ts'
import type { MediaPurpose } from '../../../domain/shared/media.ts'
import type { ReceivedForm } from '../../../services/media/form.ts'
import {
  BasicsTyped,
  ContactTyped,
  InterestsTyped,
  PhotosTyped,
  PreferencesTyped,
  ReviewTyped,
} from '../../../usecases/register/answers.ts'
import { nextStep, openDraft } from '../../../usecases/register/draft.ts'
import type { VisitorProof } from '../../../usecases/register/proof.ts'
import { registerFromDraft } from '../../../usecases/register/register-from-draft.ts'
import { removeUpload } from '../../../usecases/register/remove-upload.ts'
import { type SavingStep, saveStep } from '../../../usecases/register/save-step.ts'
import { uploadsOf } from '../../../usecases/register/uploads.ts'
import { readForm, replyWith } from '../../forms/form.server.ts'
import { receiveForm } from '../../forms/receive-form.server.ts'
import type { FormReply } from '../../forms/reply.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { accountReady } from '../../request/proof.server.ts'
import {
  deviceCookie,
  deviceLabel,
  deviceOf,
  noProofCookie,
  sessionCookie,
} from '../../request/session-cookie.server.ts'
import { CHOOSE_FIRST } from '../../words/file-sizes.ts'
import { problemWords, registrationWorded } from '../../words/registration-words.server.ts'
import { stepPath } from './steps.ts'

/** The buttons of a step; `remove` and `forward` name an upload. */
const WAYS = {
  go: z.enum(['on', 'back', 'upload']).optional().catch(undefined),
  remove: z.string().optional(),
  forward: z.string().optional(),
}
const password = z.string().default('')
const StepForm = z.discriminatedUnion('step', [
  BasicsTyped.extend({ ...WAYS, password, confirm: password }),
  PreferencesTyped.extend(WAYS),
  InterestsTyped.extend(WAYS),
  PhotosTyped.extend(WAYS),
  ContactTyped.extend(WAYS),
  ReviewTyped.extend(WAYS),
])
type StepForm = z.output<typeof StepForm>

/** The files that a step's plain form brings along, by the name of their field. */
const FILES: Readonly<Partial<Record<StepName, Readonly<Record<string, MediaPurpose>>>>> = {
  photos: { file: 'photo' },
  contact: { voice: 'voice' },
}

/** Beside which field an upload shows what is wrong. */
const UPLOAD_FIELD: Readonly<Partial<Record<StepName, string>>> = { photos: 'photos', contact: 'voiceUrl' }

type Visit = { context: RequestContext; request: Request; proof: VisitorProof }

/** Keeps a step and goes where its button leads; the last one makes the account (spec 1 §2). */
export function registerAction(visit: Visit, step: StepName): Promise<FormReply> {
  const { context, request } = visit
  return receiveForm(context, request, {
    purposes: FILES[step] ?? {},
    visitor: visit.proof,
    work: (form) => takeStep(visit, step, form),
  })
}

async function takeStep(visit: Visit, step: StepName, { fields: form, files }: ReceivedForm): Promise<FormReply> {
  const { context, proof } = visit
  form.set('step', step)
  const sent = readForm(form, StepForm, {})
  if (!sent.ok) return sent.reply
  const { go, remove } = sent.value
  if (step === 'review' && go === 'on') return register(visit, form)
  const saving = savingOf(sent.value, [...files.values()].flat())
  const saved = await saveStep(context, proof, saving)
  if (!saved.ok && saved.reason === 'minor') throw await turnedAway()
  if (remove) {
    await removeUpload(context, proof, remove)
    throw redirect(stepPath(step))
  }
  if (saved.ok && go === 'upload' && files.size === 0)
    return replyWith(form, 400, { [UPLOAD_FIELD[step] ?? '']: CHOOSE_FIRST })
  if (saved.ok) throw redirect(stepPath(saved.value.to))
  return replyWith(form, 400, named(problemWords(context.config, saved.problems), UPLOAD_FIELD[step], saved.file))
}

/** What is wrong with a file begins with what it is called. */
function named(words: Readonly<Record<string, string>>, field: string | undefined, file: string | undefined) {
  return field && file && words[field] ? { ...words, [field]: `${file}: ${words[field]}` } : words
}

function savingOf({ go, remove, forward, ...typed }: StepForm, files: SavingStep['files']): SavingStep {
  const answers = typed.step === 'photos' ? { ...typed, order: forwarded(typed.order, forward) } : typed
  const password = 'password' in answers ? { chosen: answers.password, confirmed: answers.confirm } : undefined
  const way = remove || forward || go === 'upload' ? 'stay' : go === 'back' ? 'back' : 'on'
  return { answers, password, files: files ?? [], go: way }
}

/** With that one before the one that it stood behind. */
function forwarded(order: readonly string[], id: string | undefined): string[] {
  const at = id ? order.indexOf(id) : -1
  if (at < 1) return [...order]
  return [...order.slice(0, at - 1), ...order.slice(at - 1, at + 1).reverse(), ...order.slice(at + 1)]
}

async function turnedAway(): Promise<Response> {
  return redirect('/signup?refused=age', { headers: { 'Set-Cookie': await noProofCookie() } })
}

async function register({ context, request, proof }: Visit, form: FormData): Promise<FormReply> {
  const outcome = await registerFromDraft(context, proof, { label: deviceLabel(request) })
  if (outcome.ok) {
    // This browser has signed in from now on.
    const { device } = await context.loginGuard.succeeded({ emailKey: proof.emailKey, device: await deviceOf(request) })
    const headers = new Headers()
    headers.append('Set-Cookie', await deviceCookie(device))
    headers.append('Set-Cookie', await sessionCookie(outcome.value.token, true))
    headers.append('Set-Cookie', await noProofCookie())
    throw redirect('/discover?welcome', { headers })
  }
  if (outcome.reason === 'minor') throw await turnedAway()
  if (outcome.reason === 'registered') throw accountReady()
  const waiting = nextStep(openDraft(proof.draft), await uploadsOf(context, proof))
  // What is missing, as by another tab, is asked for where it belongs.
  if (waiting !== 'review') throw redirect(`${stepPath(waiting)}&incomplete`)
  const { status, error } = registrationWorded(context.config, outcome)
  return replyWith(form, status, { '': error })
}
