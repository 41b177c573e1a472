import { z } from 'zod'
import {
  FIELD_KEYS,
  FIELD_LEVELS,
  GENDERS,
  LOOKING_FOR,
  SOUGHT,
  VIBES,
  VISIBILITY_MODES,
} from '../../domain/profile/choices.ts'

/** What answers hold (api-contract §6.0 and §6.3). A key that is not named here does not leave the server. */
const list = <T extends z.ZodType>(item: T) => z.array(item).readonly()
/** What `domain/shared/unique.ts` lets in once. */
const set = <T extends z.ZodType>(item: T) => list(item).meta({ uniqueItems: true })
const id = z.string()
/** ISO 8601, UTC. */
export const time = z.string().meta({ format: 'date-time' })
const distance = { distanceMeters: z.number().optional(), distanceBand: z.string().optional() }

export const Success = z.object({ success: z.literal(true) }).meta({ id: 'Success' })
export const success = { ok: true, value: { success: true } } as const

const Photo = z.object({ url: z.string(), blurred: z.boolean() }).meta({ id: 'Photo' })
const Media = z
  .object({
    id,
    url: z.string(),
    type: z.enum(['image', 'video']),
    caption: z.string(),
    privacy: z.enum(['public', 'private']),
  })
  .meta({ id: 'Media' })
const Shown = z.enum(['auto', 'limited', 'full'])

export const Card = z
  .object({
    id,
    firstName: z.string(),
    age: z.number().optional(),
    ...distance,
    photos: list(Photo),
    interests: set(z.string()),
    vibe: z.enum(VIBES).or(z.string()).optional(),
    verified: z.boolean(),
    bio: z.string().optional(),
    visibilityMode: Shown,
  })
  .meta({ id: 'Card' })

/** Another member; a key that the caller may not see is absent. */
export const Profile = z
  .object({
    id,
    firstName: z.string(),
    visibilityMode: Shown,
    photos: list(Photo),
    avatar: z.string().optional(),
    lastName: z.string().optional(),
    age: z.number().optional(),
    zodiac: z.string().optional(),
    city: z.string().optional(),
    bio: z.string().optional(),
    orientation: z.string().optional(),
    height: z.number().optional(),
    interests: set(z.string()).optional(),
    hobbies: set(z.string()).optional(),
    favorites: set(z.string()).optional(),
    lookingFor: z.string().optional(),
    vibe: z.string().optional(),
    voiceIntro: z.string().optional(),
    media: list(Media).optional(),
    verified: z.boolean().optional(),
    online: z.boolean().optional(),
    ...distance,
  })
  .meta({ id: 'Profile' })

/**
 * The caller's own account and profile. Free text where older entries may contain a value that is no longer a choice.
 */
export const Self = z
  .object({
    id,
    email: z.string(),
    phone: z.string(),
    status: z.enum(['active', 'deactivated', 'suspended']),
    registered: z.boolean(),
    firstName: z.string(),
    lastName: z.string(),
    nameChangedAt: time.nullable(),
    genderChangedAt: time.nullable(),
    createdAt: time,
    dob: z.string(),
    age: z.number().nullable(),
    zodiac: z.string().nullable(),
    gender: z.enum(GENDERS).or(z.string()),
    orientation: z.string(),
    bio: z.string(),
    city: z.string(),
    state: z.string(),
    location: z.string(),
    height: z.number().nullable(),
    interests: set(z.string()),
    hobbies: set(z.string()),
    likes: set(z.string()),
    dislikes: set(z.string()),
    favorites: set(z.string()),
    lookingFor: z.enum(LOOKING_FOR).or(z.string()),
    interestedIn: set(z.enum(SOUGHT).or(z.string())),
    preferences: z.object({
      ageRange: z.tuple([z.number(), z.number()]).readonly(),
      distanceMiles: z.number(),
    }),
    vibe: z.string(),
    timezone: z.string(),
    visibilityMode: z.enum(VISIBILITY_MODES),
    visibility: z.enum(['active', 'invisible', 'deactivated']),
    blur: z.enum(['clear', 'blurred']),
    fieldVisibility: z.record(z.enum(FIELD_KEYS), z.enum(FIELD_LEVELS)).readonly(),
    verified: z.boolean(),
    avatar: z.string().nullable(),
    voiceIntro: z.string().nullable(),
    media: list(Media),
  })
  .meta({ id: 'Self' })
/** An account that Google began and the wizard has not made yet (ruling R13). */
export const OnboardingUser = z
  .object({ id, email: z.string(), status: z.literal('onboarding') })
  .meta({ id: 'Onboarding' })

export const Matches = z.object({
  matches: list(
    z.object({
      id,
      firstName: z.string(),
      lastName: z.string(),
      avatar: z.string().nullable(),
      online: z.boolean(),
    }),
  ),
})
export const Cards = z.object({ users: list(Card) })
export const Deck = z.object({
  users: list(Card),
  buzzZone: z.object({ count: z.number() }),
  costliest: z.object({ filter: z.enum(['age', 'distance', 'vibe', 'interests']), wouldShow: z.number() }).optional(),
})
export const Blocks = z.object({ blocks: list(z.object({ id, firstName: z.string(), lastName: z.string() })) })

export const Notification = z
  .object({
    id,
    type: z.string(),
    subtype: z.enum(['match_request', 'buzz']).optional(),
    message: z.string(),
    read: z.boolean(),
    createdAt: time,
    href: z.string(),
    fromId: id,
  })
  .meta({ id: 'Notification' })
export const Notifications = list(Notification)

export const Message = z
  .object({
    id,
    roomId: z.string(),
    from: id,
    to: id,
    text: z.string(),
    media: z.object({ id, url: z.string() }).optional(),
    time,
    deleted: z.literal(true).optional(),
  })
  .meta({ id: 'Message' })

const relation = { matched: z.boolean(), preview: z.boolean() }
const likes = { likedByMe: z.boolean(), likedMe: z.boolean() }
/** The profile screen of spec 2 §2: oneself, another, or one whom the caller blocked. */
export const Encounter = z.union([
  z.object({ user: Self, ...relation, ...likes, blocked: z.literal(false), access: z.literal('self') }),
  z.object({
    user: Profile,
    ...relation,
    ...likes,
    blocked: z.literal(false),
    access: z.enum(['matched', 'preview', 'locked']),
  }),
  z.object({
    user: z.object({ id, firstName: z.string() }),
    ...relation,
    blocked: z.literal(true),
    access: z.literal('blocked-by-me'),
  }),
])
