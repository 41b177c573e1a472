import { z } from 'zod'
import { VISIBILITY_MODES } from '../../domain/profile/choices.ts'
import { ProfileChanges } from '../../domain/profile/commands.ts'
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
const Favorites = z
  .array(
    z
      .string()
      .max(2100)
      .refine((tag) => {
        const [, kind, words = ''] = TAG.exec(tag) ?? []
        if (kind === 'blur') return words === 'clear' || words === 'blurred'
        return kind === 'voice' || (kind !== undefined && words.trim() !== '' && words.length <= CUSTOM_INTEREST_MAX)
      }, 'Use like:, dislike:, voice: or blur: tags.'),
  )
  .max(MAX_FAVORITES + 2)
  .refine((tags) => tags.filter((tag) => /^(dis)?like:/.test(tag)).length <= MAX_FAVORITES, 'That is too many.')

/** What `PUT /users/me` takes; every other key is ignored (ruling R32, api-contract C08). */
export const ProfileEdit = ProfileChanges.pick(PLAIN).extend({
  favorites: Favorites.optional(),
  avatar: address.optional(),
  /** Empty takes it away. */
  voiceIntro: address.nullish(),
  visibilityMode: z.enum([...VISIBILITY_MODES, '', 'blurred']).optional(),
})
export type ProfileEdit = z.infer<typeof ProfileEdit>

/** The edit as the profile's own changes and media: tags of `favorites` are mapped, never stored (ruling R3). */
export function ownEditOf({ favorites, avatar, voiceIntro, visibilityMode, ...plain }: ProfileEdit): OwnEdit {
  const tagged = (kind: string) =>
    favorites?.flatMap((tag) => {
      const [, found, words = ''] = TAG.exec(tag) ?? []
      return found === kind ? [words] : []
    })
  const blur = tagged('blur')?.at(-1)
  const voice = voiceIntro === undefined ? tagged('voice')?.at(-1) : voiceIntro
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
