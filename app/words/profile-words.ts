import { daysLeft } from '../../domain/shared/dates.ts'
import type { Refused } from '../../usecases/outcome.ts'
import type { EditReason } from '../../usecases/profile/edit-profile.ts'
import { PIPELINE_WORDS, type Words, type WordTable } from './words.ts'

/** What opens restricted modes, in its order (api-contract C06 and C08). */
export const ELIGIBILITY = ['premium', 'kyc', 'consent'] as const
export const EDIT_FAILED = { status: 400, error: 'Could not update profile' } as const
const RESTRICTED = { status: 403, error: 'restricted' } as const

/** Why a profile stays as it is, with the days that are left in the sentence (spec 2 §4 and §8, api-contract C08). */
export function editWords({ retryInMs = 0 }: Pick<Refused<EditReason>, 'retryInMs'>): WordTable<EditReason> {
  const days = Math.max(1, daysLeft(new Date(0), new Date(retryInMs)))
  const again = (what: string): Words => ({
    status: 400,
    error: `You can change your ${what} again in ${days} day(s).`,
  })
  return {
    ...PIPELINE_WORDS,
    'name-too-soon': { ...again('name'), field: 'firstName' },
    'gender-too-soon': again('gender'),
    'timezone-too-soon': again('time zone'),
    'not-started': { status: 403, error: 'Please complete your registration.', code: 'onboarding' },
    'already-started': EDIT_FAILED,
    underage: EDIT_FAILED,
    invalid: EDIT_FAILED,
    restricted: RESTRICTED,
  }
}

/** A restricted mode for someone who may not use it: all steps are open. */
export function restricted() {
  return { ok: false, ...RESTRICTED, missing: ELIGIBILITY } as const
}
