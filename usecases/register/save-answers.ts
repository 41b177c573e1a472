import type { ProfileChanges } from '../../domain/profile/commands.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import { StepAnswers } from './answers.ts'
import { type Draft, openDraft, withStep } from './draft.ts'
import type { VisitorProof } from './proof.ts'

/** What the wizard asks and a profile may change; `avatar` is the address of an own upload. */
export type WizardAnswers = Pick<
  ProfileChanges,
  | 'firstName'
  | 'lastName'
  | 'gender'
  | 'lookingFor'
  | 'interestedIn'
  | 'preferences'
  | 'visibilityMode'
  | 'interests'
  | 'phone'
> & { readonly avatar?: string | undefined }

/**
 * Keeps answers of the wizard that came by a call, for an account that is not there yet (api-contract C08, ruling R13). What
 * is absent stays as it is; nothing becomes a member before the registration.
 */
export async function saveAnswers(
  { proofs }: Pick<Ports, 'proofs'>,
  proof: VisitorProof,
  answers: WizardAnswers,
): Promise<Outcome<null, 'conflict'>> {
  const kept = await proofs.changeDraft(proof.token, (stored) => withAnswers(openDraft(stored), answers))
  return kept ? done(null) : refused('conflict')
}

function withAnswers(draft: Draft, answers: WizardAnswers): Draft {
  const { firstName, lastName, gender, lookingFor, interestedIn, visibilityMode, interests, phone, avatar } = answers
  const [ageMin, ageMax] = answers.preferences?.ageRange ?? []
  const distanceMiles = answers.preferences?.distanceMiles
  const given = {
    basics: { firstName, lastName, gender, lookingFor, interestedIn },
    preferences: { ageMin: text(ageMin), ageMax: text(ageMax), distanceMiles: text(distanceMiles), visibilityMode },
    interests: { interests },
    photos: { avatar },
    contact: { phone },
  }
  return Object.entries(given).reduce((kept, [step, fields]) => withFields(kept, step, fields), draft)
}

const text = (number: number | undefined) => (number === undefined ? undefined : String(number))

/** A step of which nothing was sent stays unseen, as the wizard has it. */
function withFields(draft: Draft, step: string, fields: object): Draft {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined)
  if (sent.length === 0) return draft
  const before = Object.entries(draft.steps).find(([name]) => name === step)?.[1]
  return withStep(draft, StepAnswers.parse({ ...before, ...Object.fromEntries(sent), step }))
}
