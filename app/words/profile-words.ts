import { daysLeft } from '../../domain/shared/dates.ts'
import { type Refusal, refused } from '../../usecases/answer.ts'
import type { EditOutcome } from '../../usecases/profile/edit-profile.ts'
import { fieldWords } from './profile-field-words.ts'
import { pipelineWorded } from './words.ts'

const FAILED = 'Could not update profile'
/** What opens restricted modes, in its order (api-contract C06 and C08). */
export const ELIGIBILITY = ['premium', 'kyc', 'consent'] as const
export type EditRefusal = Refusal & { readonly missing?: readonly string[] }

/** Why a profile stays as it is (spec 2 §4 and §8, api-contract C08). */
export function editWords(outcome: Extract<EditOutcome, { ok: false }>): EditRefusal {
  switch (outcome.reason) {
    case 'name-too-soon':
      return refused(400, again('name', outcome.retryInMs))
    case 'gender-too-soon':
      return refused(400, again('gender', outcome.retryInMs))
    case 'restricted':
      return restricted()
    case 'not-started':
      return refused(403, 'Please complete your registration.', { code: 'onboarding' })
    default:
      return (
        pipelineWorded(outcome) ?? refused(400, FAILED, outcome.fields ? { fields: fieldWords(outcome.fields) } : {})
      )
  }
}

/** A restricted mode for someone who may not use it: all steps are open. */
export function restricted(): EditRefusal {
  return { ...refused(403, 'restricted'), missing: ELIGIBILITY }
}

function again(what: string, ms = 0): string {
  const days = Math.max(1, daysLeft(new Date(0), new Date(ms)))
  return `You can change your ${what} again in ${days} day(s).`
}
