import { addMs, ageOn } from '../shared/dates.ts'
import { accept, type Decider, type Decision, refuse } from '../shared/decider.ts'
import { isSameZone } from '../shared/zones.ts'
import type { ProfileChanges, ProfileCommand } from './commands.ts'
import type { ProfileEvent } from './events.ts'
import { GENDER_COOLDOWN_MS, MIN_AGE, NAME_COOLDOWN_MS, TIMEZONE_COOLDOWN_MS } from './limits.ts'
import { emptyProfile, evolveProfile, type Profile, visibilityFor } from './state.ts'

type TooSoon = 'name-too-soon' | 'gender-too-soon' | 'timezone-too-soon'
export type ProfileRefusal = 'underage' | 'already-started' | 'not-started' | TooSoon
type Verdict = Decision<ProfileEvent, ProfileRefusal>
type CommandOf<T extends ProfileCommand['type']> = Extract<ProfileCommand, { type: T }>
type Fact = Pick<ProfileEvent, 'member' | 'at'>

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

function startProfile(command: CommandOf<'StartProfile'>, profile: Profile): Verdict {
  const { type: _type, ...answers } = command
  const age = ageOn(command.dob, command.at)
  if (age < MIN_AGE) return refuse('underage')
  return profile.started ? refuse('already-started') : accept({ type: 'ProfileStarted', ...answers })
}

/** One event per field that really changes, so that a history shows each change by itself. */
function editProfile({ member, changes: asked, at }: CommandOf<'EditProfile'>, profile: Profile): Verdict {
  if (!profile.started) return refuse('not-started')
  const changes = withVisibility(withZone(asked, profile), profile)
  const refusal = tooSoon(changes, profile, at)
  return refusal ?? accept(...changedFields({ member, at }, { ...profile, ...changes } as Profile, profile))
}

/**
 * Hidden makes and stays invisible; another mode while invisible makes active again (spec 2 §4). Of a mode and a visibility
 * that contradict each other, the one that shows less counts.
 */
function withVisibility(changes: ProfileChanges, profile: Profile): ProfileChanges {
  const stays = changes.visibility && profile.visibilityMode === 'hidden' ? profile.visibilityMode : undefined
  const mode = changes.visibilityMode ?? stays
  const fieldVisibility = changes.fieldVisibility && { ...profile.fieldVisibility, ...changes.fieldVisibility }
  return {
    ...changes,
    ...(mode && { visibility: changes.visibility === 'invisible' ? 'invisible' : visibilityFor(mode) }),
    ...(fieldVisibility && { fieldVisibility }),
  }
}

/** Another name of the same zone, or another case of it, is no change. */
function withZone(changes: ProfileChanges, { timezone }: Profile): ProfileChanges {
  return changes.timezone !== undefined && isSameZone(changes.timezone, timezone) ? { ...changes, timezone } : changes
}

/** What may change again only after a while, unless it stays the same. */
function tooSoon(changes: ProfileChanges, profile: Profile, at: Date): Verdict | undefined {
  const changed = (key: 'firstName' | 'lastName' | 'gender' | 'timezone') =>
    changes[key] !== undefined && changes[key] !== profile[key]
  const wait = (since: Date | null, cooldown: number) => (since ? addMs(since, cooldown).getTime() - at.getTime() : 0)
  const waits: readonly [TooSoon, boolean, number][] = [
    ['name-too-soon', changed('firstName') || changed('lastName'), wait(profile.nameChangedAt, NAME_COOLDOWN_MS)],
    ['gender-too-soon', changed('gender'), wait(profile.genderChangedAt, GENDER_COOLDOWN_MS)],
    ['timezone-too-soon', changed('timezone'), wait(profile.timezoneChangedAt, TIMEZONE_COOLDOWN_MS)],
  ]
  const [found] = waits.filter(([, asked, ms]) => asked && ms > 0)
  return found && refuse(found[0], found[2])
}

function changedFields(fact: Fact, next: Profile, profile: Profile): ProfileEvent[] {
  const { firstName, lastName, city, state, location, likes, dislikes } = next
  const candidates: [boolean, ProfileEvent][] = [
    [
      firstName !== profile.firstName || lastName !== profile.lastName,
      { type: 'NameChanged', ...fact, firstName, lastName },
    ],
    [
      !same([city, state, location], [profile.city, profile.state, profile.location]),
      { type: 'PlaceChanged', ...fact, city, state, location },
    ],
    [
      !same([likes, dislikes], [profile.likes, profile.dislikes]),
      { type: 'TastesSet', ...fact, likes: [...likes], dislikes: [...dislikes] },
    ],
    ...single(fact, next).map(([key, event]): [boolean, ProfileEvent] => [!same(next[key], profile[key]), event]),
  ]
  return candidates.filter(([changed]) => changed).map(([, event]) => event)
}

function single(fact: Fact, next: Profile): [keyof Profile, ProfileEvent][] {
  return [
    ['bio', { type: 'BioChanged', ...fact, bio: next.bio }],
    ['height', { type: 'HeightChanged', ...fact, height: next.height }],
    ['orientation', { type: 'OrientationChanged', ...fact, orientation: next.orientation }],
    ['gender', { type: 'GenderChanged', ...fact, gender: next.gender }],
    ['interests', { type: 'InterestsSet', ...fact, interests: [...next.interests] }],
    ['hobbies', { type: 'HobbiesSet', ...fact, hobbies: [...next.hobbies] }],
    ['phone', { type: 'PhoneChanged', ...fact, phone: next.phone }],
    ['lookingFor', { type: 'LookingForChanged', ...fact, lookingFor: next.lookingFor }],
    ['interestedIn', { type: 'InterestedInChanged', ...fact, interestedIn: [...next.interestedIn] }],
    ['preferences', { type: 'PreferencesChanged', ...fact, preferences: next.preferences }],
    ['vibe', { type: 'VibeChanged', ...fact, vibe: next.vibe }],
    ['timezone', { type: 'TimezoneChanged', ...fact, timezone: next.timezone }],
    ['visibilityMode', { type: 'VisibilityModeChanged', ...fact, visibilityMode: next.visibilityMode }],
    ['visibility', { type: 'VisibilityChanged', ...fact, visibility: next.visibility }],
    ['blur', { type: 'PhotoBlurChanged', ...fact, blur: next.blur }],
    ['fieldVisibility', { type: 'FieldVisibilitySet', ...fact, fieldVisibility: next.fieldVisibility }],
  ]
}

/** What a member states about themselves; rules of spec 1 §5 and spec 2 §4. */
export const profileDecider: Decider<ProfileCommand, ProfileEvent, Profile, ProfileRefusal> = {
  category: 'profile',
  streamId: (command) => command.member,
  initial: emptyProfile,
  evolve: evolveProfile,
  decide: (command, profile) =>
    command.type === 'StartProfile' ? startProfile(command, profile) : editProfile(command, profile),
}
