import { z } from 'zod'
import { VISIBILITY_MODES } from '../../domain/profile/choices.ts'
import { ProfileChanges } from '../../domain/profile/commands.ts'
import * as field from '../../domain/profile/fields.ts'
import { CUSTOM_INTEREST_MAX, MAX_FAVORITES } from '../../domain/profile/limits.ts'
import type { OwnEdit } from '../../usecases/profile/edit-own.ts'

const TAG = /^(like|dislike|voice|blur):(.*)$/s
const PLAIN = {
  firstName: true,
  lastName: true,
  bio: true,
  city: true,
  state: true,
  location: true,
  height: true,
  orientation: true,
  gender: true,
  interests: true,
  hobbies: true,
  phone: true,
  lookingFor: true,
  interestedIn: true,
  preferences: true,
  vibe: true,
  timezone: true,
  visibility: true,
  fieldVisibility: true,
} as const

const address = z.string().max(2048)
const TASTE = /^(dis)?like:/
const USE_TAGS = 'Use like:, dislike:, voice: or blur: tags.'

/** What is wrong with one tag; `voice:` is checked as a file. */
function tagFault(tag: string): string | undefined {
  const [, kind, words = ''] = TAG.exec(tag) ?? []
  if (kind === undefined) return USE_TAGS
  if (kind === 'voice') return address.safeParse(words).success ? undefined : 'That address is too long.'
  if (kind === 'blur') return words === 'clear' || words === 'blurred' ? undefined : USE_TAGS
  const [issue] = field.Chip.safeParse(words).error?.issues ?? []
  if (issue?.code === 'too_big') return `Use at most ${CUSTOM_INTEREST_MAX} characters.`
  return issue && USE_TAGS
}

const Tag = z
  .string()
  .superRefine((tag, { addIssue }) => {
    const message = tagFault(tag)
    if (message) addIssue({ code: 'custom', message })
  })
  .meta({
    description: `like: and dislike: with words of at most ${CUSTOM_INTEREST_MAX} code points, voice: with the address of an own upload, blur:clear or blur:blurred.`,
  })
const Favorites = z
  .array(Tag)
  .max(MAX_FAVORITES + 2)
  .refine((tags) => tags.filter((tag) => TASTE.test(tag)).length <= MAX_FAVORITES, 'That is too many.')
  .refine(
    (tags) => (['like', 'dislike'] as const).every((kind) => field.Likes.safeParse(taggedIn(tags, kind)).success),
    'Choose each one once.',
  )
  // Not `uniqueItems`: of several voice: or blur: tags the last counts, alike or not.
  .meta({
    description:
      'The whole list: likes, dislikes and the voice intro go with their tags; the blur stays. Each like and each dislike once; of several voice: or blur: tags the last counts.',
  })

const taggedIn = (tags: readonly string[], wanted: string) =>
  tags.flatMap((tag) => {
    const [, kind, words = ''] = TAG.exec(tag) ?? []
    return kind === wanted ? [words] : []
  })

/** What `PUT /users/me` takes; every other key is ignored (ruling R32, api-contract C08). */
export const ProfileEdit = ProfileChanges.pick(PLAIN).extend({
  favorites: Favorites.optional(),
  avatar: address.optional(),
  /** Empty takes it away. */
  voiceIntro: address.nullish(),
  visibilityMode: z.enum([...VISIBILITY_MODES, '', 'blurred']).optional(),
})
export type ProfileEdit = z.infer<typeof ProfileEdit>

/**
 * The edit as the profile's own changes and media: tags of `favorites` are mapped, never stored (ruling R3). A list is whole:
 * one without voice: takes the voice intro away. One without blur: leaves the blur, because clear photos would show more.
 */
export function ownEditOf({ favorites, avatar, voiceIntro, visibilityMode, ...plain }: ProfileEdit): OwnEdit {
  const tagged = (kind: string) => favorites && taggedIn(favorites, kind)
  const blur = tagged('blur')?.at(-1)
  const voice = voiceIntro === undefined && favorites ? (tagged('voice')?.at(-1) ?? null) : voiceIntro
  const changes = {
    ...plain,
    ...(favorites && { likes: tagged('like'), dislikes: tagged('dislike') }),
    ...(blur && { blur }),
    ...modeOf(visibilityMode),
  }
  return { changes, avatar, voice: voice === '' ? null : voice }
}

function modeOf(mode: ProfileEdit['visibilityMode']): ProfileChanges {
  if (mode === undefined) return {}
  if (mode === '') return { visibilityMode: 'full', blur: 'clear' }
  return mode === 'blurred' ? { blur: 'blurred' } : { visibilityMode: mode }
}
