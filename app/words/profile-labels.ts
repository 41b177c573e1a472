import type { FieldKey, VisibilityMode } from '../../domain/profile/choices.ts'

const CM_PER_INCH = 2.54

/** '172 cm (5′8″)' */
export function heightLabel(cm: number): string {
  const inches = Math.round(cm / CM_PER_INCH)
  return `${cm} cm (${Math.floor(inches / 12)}′${inches % 12}″)`
}

/** What `like:` or `dislike:` tags hold (spec 2 §3). */
export function tagged(favorites: readonly string[] | undefined, tag: 'like' | 'dislike'): string[] {
  return (favorites ?? []).filter((one) => one.startsWith(`${tag}:`)).map((one) => one.slice(tag.length + 1))
}

export const FIELD_LABELS: Record<FieldKey, string> = {
  age: 'Age and zodiac',
  height: 'Height',
  city: 'City',
  orientation: 'Orientation',
  interests: 'Interests',
  hobbies: 'Hobbies',
  likes: 'Likes',
  dislikes: 'Dislikes',
  lookingFor: 'Looking for and vibe',
  voiceIntro: 'Voice intro',
  photos: 'Photos',
}

/** What each mode means to the others (spec 2 §4, ruling R4). */
export const MODES: readonly { value: VisibilityMode; label: string; help: string }[] = [
  {
    value: 'auto',
    label: 'Auto',
    help: 'Your card in Discover has blurred photos and a few facts. Your profile opens once you match.',
  },
  {
    value: 'limited',
    label: 'Limited',
    help: 'Of what is public, others see up to three photos and a few facts. Matches see more.',
  },
  {
    value: 'full',
    label: 'Full',
    help: 'Others see everything that is public. What is for matches stays for matches.',
  },
  { value: 'hidden', label: 'Hidden', help: 'Nobody new can find you. Your matches can still see you and chat.' },
]
