import type { EventNamed, EventType, RecordedEvent } from '../../domain/all-events.ts'
import type { MemberEvent } from '../../domain/identity/events.ts'
import type { GalleryEvent, ProfileEvent } from '../../domain/profile/events.ts'
import { emptyProfile } from '../../domain/profile/state.ts'
import { isErased, valueOr } from '../../domain/shared/personal.ts'
import { MOVES, nextStatus } from '../accounts/project.ts'
import { aheadSince, type Change, fold, type Projection, patch, put, remove, removeWhere } from '../projection.ts'
import { emptyRow, evolveRow } from './fold.ts'
import { galleryItem } from './gallery-table.ts'
import { type ProfileRow, profile } from './table.ts'

function registered({ member, email, at }: EventNamed<'MemberRegistered'>): Change[] {
  const address = valueOr(email, '')
  return [
    fold(
      profile,
      { member },
      (row): ProfileRow =>
        row ? { ...row, email: address, status: 'active' } : emptyRow(member, address, at, emptyProfile),
    ),
  ]
}

const moved = (event: Exclude<MemberEvent, { type: 'AccountErased' }>): Change[] => [
  patch(profile, { member: event.member }, (row) => ({ ...row, status: nextStatus(row.status, event) })),
]

const profileChanged = (event: ProfileEvent): Change[] => [
  patch(profile, { member: event.member }, (row) => evolveRow(row, event)),
]

function added({ member, media, kind, caption, privacy, revision }: RecordedEvent<'MediaAdded'>): Change[] {
  if (isErased(media)) return []
  return [put(galleryItem, { member, media, kind, caption: valueOr(caption, ''), privacy, ordinal: revision })]
}

function privacyChanged({ member, media, privacy }: EventNamed<'MediaPrivacyChanged'>): Change[] {
  return isErased(media) ? [] : [patch(galleryItem, { member, media }, (item) => ({ ...item, privacy }))]
}

/** The picture that stands for the member, or their voice; null takes it away. */
function chosen(column: 'avatar' | 'voice', member: string, media: GalleryMedia | null): Change[] {
  return isErased(media) ? [] : [patch(profile, { member }, (row) => ({ ...row, [column]: media }))]
}
type GalleryMedia = Extract<GalleryEvent, { type: 'AvatarChosen' }>['media']

/** Who may see what: others see no more than the member wants, whatever of the profile cannot be read. */
const LIMITS: readonly EventType[] = [
  'VisibilityModeChanged',
  'VisibilityChanged',
  'PhotoBlurChanged',
  'FieldVisibilitySet',
  'MediaRemoved',
  'MediaPrivacyChanged',
  'VoiceIntroRemoved',
]

/** What members publish about themselves, in words, pictures and voice. */
export const profiles: Projection = {
  name: 'profiles',
  version: 3,
  ahead: aheadSince(3, [...MOVES, ...LIMITS]),
  tables: [profile, galleryItem],
  when: {
    MemberRegistered: registered,
    AccountDeactivated: moved,
    AccountReactivated: moved,
    AccountSuspended: moved,
    AccountReinstated: moved,
    AccountErased: ({ member }) => [remove(profile, { member }), removeWhere(galleryItem, { member })],
    ProfileStarted: profileChanged,
    NameChanged: profileChanged,
    BioChanged: profileChanged,
    PlaceChanged: profileChanged,
    HeightChanged: profileChanged,
    OrientationChanged: profileChanged,
    GenderChanged: profileChanged,
    InterestsSet: profileChanged,
    HobbiesSet: profileChanged,
    TastesSet: profileChanged,
    PhoneChanged: profileChanged,
    LookingForChanged: profileChanged,
    InterestedInChanged: profileChanged,
    PreferencesChanged: profileChanged,
    VibeChanged: profileChanged,
    TimezoneChanged: profileChanged,
    VisibilityModeChanged: profileChanged,
    VisibilityChanged: profileChanged,
    PhotoBlurChanged: profileChanged,
    FieldVisibilitySet: profileChanged,
    MediaAdded: added,
    MediaRemoved: ({ member, media }) => (isErased(media) ? [] : [remove(galleryItem, { member, media })]),
    MediaPrivacyChanged: privacyChanged,
    AvatarChosen: ({ member, media }) => chosen('avatar', member, media),
    VoiceIntroSet: ({ member, media }) => chosen('voice', member, media),
    VoiceIntroRemoved: ({ member }) => chosen('voice', member, null),
  },
}
