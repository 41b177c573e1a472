import type { PlanFeature } from '../../ui/gates/plan-table.tsx'
import type { RadarPerson } from '../../ui/social/hex-radar.tsx'
import type { Reaction } from '../../ui/social/reaction-bar.tsx'
import type { Story } from '../../ui/social/story-strip.tsx'

/** Those of a post (spec 2 §9). */
export const REACTIONS: readonly Reaction[] = [
  { value: 'heart', sign: '❤️', label: 'Heart' },
  { value: 'laugh', sign: '😂', label: 'Laugh' },
  { value: 'surprised', sign: '😮', label: 'Surprised' },
  { value: 'sad', sign: '😢', label: 'Sad' },
  { value: 'hug', sign: '🤗', label: 'Hug' },
  { value: 'fire', sign: '🔥', label: 'Fire' },
  { value: 'clap', sign: '👏', label: 'Clap' },
  { value: 'party', sign: '🎉', label: 'Party' },
]

const NAMES = ['Ann', 'Björn', 'Chiara', 'Dan', 'Eve', 'Farid', 'Łukasz', 'Mei', 'Nadia', 'Maximiliane-Charlotte']
const face = (name: string) => ({ name, src: null })
export const FACES = NAMES.map(face)

export const STORIES: readonly Story[] = NAMES.map((name, at) => ({
  to: `?story=${at}`,
  name,
  src: null,
  state: at === 0 ? 'create' : at < 5 ? 'new' : 'seen',
}))

const BANDS = ['less than 1 km', '1 to 5 km', '5 to 20 km']
export const NEAR: readonly RadarPerson[] = NAMES.slice(1).map((name, at) => {
  const ring = Math.floor(at / 3) + 1
  return { id: `near-${at}`, name, src: null, to: `?near=${at}`, ring, distance: BANDS[ring - 1]! }
})

export const FEATURES: readonly PlanFeature[] = [
  { label: 'Buzzes a day', of: { free: '20', plus: '100', premium: 'No limit' } },
  { label: 'Chat with matches', of: { free: true, plus: true, premium: true } },
  { label: 'Undo a skip', help: 'The last card comes back.', of: { free: false, plus: true, premium: true } },
  { label: 'Restricted modes', help: 'After a check of your age.', of: { free: false, plus: false, premium: true } },
]
