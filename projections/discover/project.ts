import type { EventNamed, EventType, RecordedEvent } from '../../domain/all-events.ts'
import type { MemberEvent } from '../../domain/identity/events.ts'
import {
  DEFAULT_FIELD_VISIBILITY,
  type FieldVisibility,
  type Gender,
  type Sought,
  soughtAs,
} from '../../domain/profile/choices.ts'
import { DEFAULT_PREFERENCES, type Preferences } from '../../domain/profile/fields.ts'
import { MIN_SIGNUP_MEDIA } from '../../domain/profile/limits.ts'
import { visibilityFor } from '../../domain/profile/state.ts'
import { isErased, type Personal, valueOr } from '../../domain/shared/personal.ts'
import { MOVES, nextStatus } from '../accounts/project.ts'
import { aheadSince, type Change, fold, type Projection, patch, remove } from '../projection.ts'
import { type CandidateRow, candidate } from './table.ts'

type News = Partial<Omit<CandidateRow, 'member' | 'discoverable' | 'media_count' | 'media_counted_to'>>
type OfMember = { readonly member: string }

const sought = (gender: Personal<string>): News => (isErased(gender) ? {} : { sought_as: soughtAs(gender as Gender) })

const seeking = (interestedIn: Personal<string[]>): News => {
  const wanted = valueOr(interestedIn, []) as Sought[]
  return {
    seeks_male: wanted.includes('male'),
    seeks_female: wanted.includes('female'),
    seeks_other: wanted.includes('other'),
  }
}

const preferring = (preferences: Personal<Preferences>): News => {
  const { ageRange, distanceMiles } = valueOr(preferences, DEFAULT_PREFERENCES)
  return { age_min: ageRange[0], age_max: ageRange[1], distance_miles: distanceMiles }
}

const shown = ({ age, lookingFor, interests }: Partial<FieldVisibility>): News => ({
  ...(age && { age_shown: age === 'public' }),
  ...(lookingFor && { vibe_shown: lookingFor === 'public' }),
  ...(interests && { interests_shown: interests === 'public' }),
})

function settled(row: CandidateRow): CandidateRow {
  const visible = row.visibility === 'active' && row.visibility_mode !== 'hidden'
  const complete = row.started && row.media_count >= MIN_SIGNUP_MEDIA
  return { ...row, discoverable: row.status === 'active' && visible && complete }
}

const learn = ({ member }: OfMember, news: (row: CandidateRow) => News): Change[] => [
  patch(candidate, { member }, (row) => settled({ ...row, ...news(row) })),
]

/** Media are counted, so an event that the count has seen changes nothing. What goes ahead counts none. */
const counted = ({ member, position }: RecordedEvent<'MediaAdded' | 'MediaRemoved'>, by: 1 | -1): Change[] => [
  patch(candidate, { member }, (row) =>
    position > row.media_counted_to
      ? settled({ ...row, media_count: row.media_count + by, media_counted_to: position })
      : row,
  ),
]

function registered({ member, position }: RecordedEvent<'MemberRegistered'>): Change[] {
  const fresh = {
    member,
    media_counted_to: position,
    discoverable: false,
    status: 'active',
    started: false,
    media_count: 0,
    dob: '',
    visibility_mode: 'auto',
    visibility: 'active',
    sought_as: 'other',
    vibe: '',
    interests: [],
    ...seeking([]),
    ...preferring(DEFAULT_PREFERENCES),
    ...shown(DEFAULT_FIELD_VISIBILITY),
  } as unknown as CandidateRow
  return [fold(candidate, { member }, (row) => row ?? fresh)]
}

const started = (event: EventNamed<'ProfileStarted'>): News => ({
  started: true,
  dob: valueOr(event.dob, ''),
  vibe: valueOr(event.lookingFor, ''),
  interests: valueOr(event.interests, []),
  visibility_mode: event.visibilityMode,
  visibility: visibilityFor(event.visibilityMode),
  ...sought(event.gender),
  ...seeking(event.interestedIn),
  ...preferring(event.preferences),
})

const moved = (event: Exclude<MemberEvent, { type: 'AccountErased' }> & OfMember): Change[] =>
  learn(event, (row) => ({ status: nextStatus(row.status, event) }))

/** Who may find a member, and by which fields: whatever of the member cannot be read, no search finds what is hidden. */
const LIMITS: readonly EventType[] = ['VisibilityModeChanged', 'VisibilityChanged', 'FieldVisibilitySet']

/** Whom Discover may show to whom. Locations are not here: they are no facts of the log (ruling R7). */
export const discover: Projection = {
  name: 'discover',
  version: 2,
  ahead: aheadSince(2, [...MOVES, ...LIMITS]),
  tables: [candidate],
  when: {
    MemberRegistered: registered,
    AccountDeactivated: moved,
    AccountReactivated: moved,
    AccountSuspended: moved,
    AccountReinstated: moved,
    AccountErased: ({ member }) => [remove(candidate, { member })],
    ProfileStarted: (event) => learn(event, () => started(event)),
    GenderChanged: (event) => learn(event, () => sought(event.gender)),
    InterestsSet: (event) => learn(event, () => ({ interests: valueOr(event.interests, []) })),
    InterestedInChanged: (event) => learn(event, () => seeking(event.interestedIn)),
    PreferencesChanged: (event) => learn(event, () => preferring(event.preferences)),
    VibeChanged: (event) => learn(event, () => ({ vibe: valueOr(event.vibe, '') })),
    VisibilityModeChanged: (event) => learn(event, () => ({ visibility_mode: event.visibilityMode })),
    VisibilityChanged: (event) => learn(event, () => ({ visibility: event.visibility })),
    FieldVisibilitySet: (event) => learn(event, () => shown(event.fieldVisibility)),
    MediaAdded: (event) => counted(event, 1),
    MediaRemoved: (event) => counted(event, -1),
  },
}
