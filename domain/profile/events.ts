// These names and fields are the storage format; add, never change.
import { z } from 'zod'
import { at, defineEvent, type EventOf } from '../shared/event.ts'
import { MediaId, MemberId } from '../shared/ids.ts'
import { personal } from '../shared/personal.ts'
import { VISIBILITY_MODES } from './choices.ts'

const own = <S extends z.ZodType>(schema: S) => personal('member', schema)
const texts = z.array(z.string())
const preferences = z.object({ ageRange: z.tuple([z.number(), z.number()]), distanceMiles: z.number() })
const fact = <const T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  defineEvent(type, [z.object({ member: MemberId, at, ...shape })])

/** The whole answer of the sign-up wizard; `dob` never changes after it (security T29). */
export const ProfileStarted = fact('ProfileStarted', {
  firstName: own(z.string()),
  lastName: own(z.string()),
  dob: own(z.string()),
  gender: own(z.string()),
  lookingFor: own(z.string()),
  interestedIn: own(texts),
  preferences: own(preferences),
  interests: own(texts),
  phone: own(z.string()),
  visibilityMode: z.enum(VISIBILITY_MODES),
})
export const NameChanged = fact('NameChanged', { firstName: own(z.string()), lastName: own(z.string()) })
export const BioChanged = fact('BioChanged', { bio: own(z.string()) })
export const PlaceChanged = fact('PlaceChanged', {
  city: own(z.string()),
  state: own(z.string()),
  location: own(z.string()),
})
/** In centimetres. */
export const HeightChanged = fact('HeightChanged', { height: own(z.number().nullable()) })
export const OrientationChanged = fact('OrientationChanged', { orientation: own(z.string()) })
export const GenderChanged = fact('GenderChanged', { gender: own(z.string()) })
export const InterestsSet = fact('InterestsSet', { interests: own(texts) })
export const HobbiesSet = fact('HobbiesSet', { hobbies: own(texts) })
export const TastesSet = fact('TastesSet', { likes: own(texts), dislikes: own(texts) })
export const PhoneChanged = fact('PhoneChanged', { phone: own(z.string()) })
export const LookingForChanged = fact('LookingForChanged', { lookingFor: own(z.string()) })
export const InterestedInChanged = fact('InterestedInChanged', { interestedIn: own(texts) })
export const PreferencesChanged = fact('PreferencesChanged', { preferences: own(preferences) })
export const VibeChanged = fact('VibeChanged', { vibe: own(z.string()) })
export const TimezoneChanged = fact('TimezoneChanged', { timezone: own(z.string()) })
export const VisibilityModeChanged = fact('VisibilityModeChanged', { visibilityMode: z.enum(VISIBILITY_MODES) })
export const VisibilityChanged = fact('VisibilityChanged', { visibility: z.enum(['active', 'invisible']) })
export const PhotoBlurChanged = fact('PhotoBlurChanged', { blur: z.enum(['clear', 'blurred']) })
/** The whole map of field key to level. */
export const FieldVisibilitySet = fact('FieldVisibilitySet', {
  fieldVisibility: z.record(z.string(), z.enum(['public', 'matches', 'hidden'])),
})

export const profileEvents = [
  ProfileStarted,
  NameChanged,
  BioChanged,
  PlaceChanged,
  HeightChanged,
  OrientationChanged,
  GenderChanged,
  InterestsSet,
  HobbiesSet,
  TastesSet,
  PhoneChanged,
  LookingForChanged,
  InterestedInChanged,
  PreferencesChanged,
  VibeChanged,
  TimezoneChanged,
  VisibilityModeChanged,
  VisibilityChanged,
  PhotoBlurChanged,
  FieldVisibilitySet,
] as const
export type ProfileEvent = EventOf<(typeof profileEvents)[number]>

/** A photo or video of the gallery; its bytes, size and placeholder are rows beside the file. */
export const MediaAdded = fact('MediaAdded', {
  media: own(MediaId),
  kind: z.enum(['image', 'video']),
  caption: own(z.string()),
  privacy: z.enum(['public', 'private']),
})
export const MediaRemoved = fact('MediaRemoved', { media: own(MediaId) })
export const MediaPrivacyChanged = fact('MediaPrivacyChanged', {
  media: own(MediaId),
  privacy: z.enum(['public', 'private']),
})
export const AvatarChosen = fact('AvatarChosen', { media: own(MediaId) })
export const VoiceIntroSet = fact('VoiceIntroSet', { media: own(MediaId) })
export const VoiceIntroRemoved = fact('VoiceIntroRemoved', {})

export const galleryEvents = [
  MediaAdded,
  MediaRemoved,
  MediaPrivacyChanged,
  AvatarChosen,
  VoiceIntroSet,
  VoiceIntroRemoved,
] as const
export type GalleryEvent = EventOf<(typeof galleryEvents)[number]>
