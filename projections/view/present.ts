import { LOOKING_FOR, PRIVATE_VIBES } from '../../domain/profile/choices.ts'
import { INTERESTS_SHOWN, PREVIEW_BIO } from '../../domain/profile/limits.ts'
import { zodiac } from '../../domain/profile/zodiac.ts'
import { ageOn } from '../../domain/shared/dates.ts'
import type { Distance } from '../../domain/shared/grid.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { ProfileRow } from '../profiles/table.ts'
import type { GalleryItem } from './galleries.ts'
import {
  type Access,
  mayHearVoice,
  mayShow,
  type Owner,
  type PhotoOwner,
  type Pictured,
  type ProfileTier,
  photosFor,
  type ShownPhoto,
  tierFor,
} from './visibility.ts'

/** What decides of a picture, and what a card is made of beside it. */
export type FaceRow = Owner & PhotoOwner
export type CardRow = FaceRow & Pick<ProfileRow, 'first_name' | 'dob' | 'bio' | 'interests' | 'vibe' | 'verified'>

export type Photo = { readonly url: string; readonly blurred: boolean }
export type MediaView = {
  readonly id: string
  readonly url: string
  readonly type: 'image' | 'video'
  readonly caption: string
  readonly privacy: 'public' | 'private'
}

/**
 * What the presenter knows beside the rows. `distance` is null for an unknown location; `eligible`: restricted modes.
 */
export type ViewOptions = {
  readonly access: Access
  readonly now: Date
  readonly distance?: Distance | null
  readonly eligible?: boolean
  readonly online?: boolean
  /** The short form wherever more would be allowed. */
  readonly limited?: boolean
  /** What a card shows where the profile is locked. */
  readonly card?: boolean
}

/** Another member's profile; a key that the viewer may not see is absent (api-contract §6.3). */
export type ProfileView = {
  id: MemberId
  firstName: string
  visibilityMode: 'auto' | 'limited' | 'full'
  photos: Photo[]
  avatar?: string
  lastName?: string
  age?: number
  zodiac?: string
  city?: string
  bio?: string
  orientation?: string
  height?: number
  interests?: string[]
  hobbies?: string[]
  /** `like:`, `dislike:` and `voice:` tags (spec 2 §3). */
  favorites?: string[]
  lookingFor?: string
  vibe?: string
  voiceIntro?: string
  media?: MediaView[]
  verified?: boolean
  online?: boolean
  distanceMeters?: number
  distanceBand?: string
}

/** A card of the deck or of a list (api-contract §6.0). */
export type Card = {
  id: MemberId
  firstName: string
  age?: number
  distanceMeters?: number
  distanceBand?: string
  photos: Photo[]
  interests: string[]
  vibe?: string
  verified: boolean
  bio?: string
  visibilityMode: 'auto' | 'limited' | 'full'
}

const GLANCE = ['bio', 'vibe', 'verified', 'interests'] as const
const LIMITED = [...GLANCE, 'city'] as const
const LOCKED = ['id', 'firstName', 'visibilityMode', 'photos', 'avatar', 'age', 'distanceBand'] as const
/** Finer than its band, which is all that a locked profile has (ruling R4). */
const METRES = ['distanceMeters'] as const
const FULL = [
  ...LIMITED,
  'zodiac',
  'orientation',
  'height',
  'hobbies',
  'favorites',
  'lookingFor',
  'voiceIntro',
  'media',
] as const

/** The allow-list: what may leave the server, by the form that the viewer gets. */
const KEYS: Record<ProfileTier, readonly (keyof ProfileView)[]> = {
  locked: LOCKED,
  limited: [...LOCKED, ...METRES, ...LIMITED],
  full: [...LOCKED, ...METRES, ...FULL],
  matched: [...LOCKED, ...METRES, ...FULL, 'lastName', 'online'],
}
const MODE_SHOWN = { matched: 'full', full: 'full', limited: 'limited', locked: 'auto' } as const

export const mediaUrl = (id: string): string => `/media/${id}`

/** A member as this viewer may see them, or null when nothing may be seen. */
export function presentProfile(
  row: ProfileRow,
  gallery: readonly GalleryItem[],
  view: ViewOptions,
): ProfileView | null {
  const tier = tierFor(view.access, row.visibility_mode, view.limited)
  if (tier === null) return null
  const all = everything(row, gallery, view, tier)
  const keys = view.card && tier === 'locked' ? [...LOCKED, ...METRES, ...GLANCE] : KEYS[tier]
  const kept = keys.filter((key) => all[key] !== undefined).map((key) => [key, all[key]])
  return Object.fromEntries(kept) as ProfileView
}

/** A card: of strangers only, so it never shows what matches alone may know. */
export function presentCard(row: CardRow, gallery: readonly GalleryItem[], view: ViewOptions): Card | null {
  const tier = tierFor(view.access, row.visibility_mode, true)
  if (tier === null) return null
  const access = tier === 'locked' ? 'locked' : 'preview'
  const photos = photosFor(access, row, gallery, tier).flatMap((photo) => photoOf(photo) ?? [])
  const { id, firstName, interests, verified, ...optional } = glance(row, { ...view, access }, tier)
  return {
    id,
    firstName,
    photos,
    verified,
    interests: interests ?? [],
    visibilityMode: row.visibility_mode === 'hidden' ? 'auto' : row.visibility_mode,
    ...(Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as Partial<Card>),
  }
}

/** The first picture that the viewer may see, for lists that show no more: of a match, the avatar itself. */
export function presentFace(row: FaceRow, gallery: readonly GalleryItem[], access: Access): string | null {
  const tier = tierFor(access, row.visibility_mode, true)
  if (tier === null) return null
  return photosFor(access, row, gallery, tier).flatMap((photo) => photoOf(photo) ?? [])[0]?.url ?? null
}

/** Each field as its own level lets the viewer see it; undefined where it does not. */
function everything(row: ProfileRow, gallery: readonly GalleryItem[], view: ViewOptions, tier: ProfileTier) {
  const { access } = view
  const levels = row.field_visibility
  const shown = photosFor(access, row, gallery, tier)
  const sharp = shown.filter((photo) => photo.sharp)
  const first = shown.find(({ item }) => item.media === row.avatar)
  const hears = mayHearVoice(access, row)
  const when = <T>(key: keyof typeof levels, value: T) => (mayShow(access, levels[key]) ? value : undefined)
  return {
    ...glance(row, view, tier),
    lastName: row.last_name,
    visibilityMode: MODE_SHOWN[tier],
    photos: shown.flatMap((photo) => photoOf(photo) ?? []),
    avatar: first && photoOf(first)?.url,
    media: sharp.map(({ item }) => mediaOf(item)),
    zodiac: row.dob === '' ? undefined : when('age', zodiac(row.dob)),
    city: when('city', row.city),
    orientation: when('orientation', row.orientation),
    height: when('height', row.height ?? undefined),
    hobbies: when('hobbies', [...row.hobbies]),
    favorites: favoritesOf(row, when('likes', true), when('dislikes', true), hears),
    lookingFor: when('lookingFor', row.looking_for),
    voiceIntro: hears && row.voice ? mediaUrl(row.voice) : undefined,
    online: view.online,
  } satisfies { [K in keyof ProfileView]?: ProfileView[K] | undefined }
}

/** The fields of a card, in the same way. */
function glance(row: CardRow, { access, now, eligible, distance }: ViewOptions, tier: ProfileTier) {
  const levels = row.field_visibility
  const when = <T>(key: keyof typeof levels, value: T) => (mayShow(access, levels[key]) ? value : undefined)
  return {
    id: row.member as MemberId,
    firstName: row.first_name,
    age: row.dob === '' ? undefined : when('age', ageOn(row.dob, now)),
    bio: tier === 'limited' || tier === 'locked' ? [...row.bio].slice(0, PREVIEW_BIO).join('') : row.bio,
    interests: when('interests', row.interests.slice(0, INTERESTS_SHOWN)),
    vibe: when('lookingFor', vibeFor(access, row.vibe, eligible ?? false)),
    verified: row.verified,
    ...(distance && { distanceMeters: distance.metres, distanceBand: distance.band }),
  }
}

/** Private vibes are for matches, restricted ones for those who may use them (ruling R33). */
export function vibeFor(access: Access, vibe: string, eligible: boolean): string | undefined {
  if ((LOOKING_FOR as readonly string[]).includes(vibe)) return vibe
  const isPrivate = (PRIVATE_VIBES as readonly string[]).includes(vibe)
  return vibe !== '' && (isPrivate ? access === 'matched' : eligible) ? vibe : undefined
}

export function favoritesOf(row: ProfileRow, likes = false, dislikes = false, voice = false): string[] {
  return [
    ...(likes ? row.likes.map((like) => `like:${like}`) : []),
    ...(dislikes ? row.dislikes.map((dislike) => `dislike:${dislike}`) : []),
    ...(voice && row.voice ? [`voice:${mediaUrl(row.voice)}`] : []),
  ]
}

export function mediaOf({ media, kind, caption, privacy }: Pictured): MediaView {
  return { id: media, url: mediaUrl(media), type: kind, caption, privacy }
}

/** Where nothing blurred exists, nothing is shown. A video is in `media`; among photos it is its blurred still. */
function photoOf({ item, sharp }: ShownPhoto<GalleryItem>): Photo | undefined {
  if (sharp) return item.kind === 'image' ? { url: mediaUrl(item.media), blurred: false } : undefined
  return item.blurred ? { url: mediaUrl(item.blurred), blurred: true } : undefined
}
