import type { Sought, VisibilityMode } from '../../../domain/profile/choices.ts'
import { MAX_DISTANCE_MILES } from '../../../domain/profile/limits.ts'

export const SOUGHT_CHOICES: readonly { value: Sought; label: string }[] = [
  { value: 'male', label: 'Men' },
  { value: 'female', label: 'Women' },
  { value: 'other', label: 'Other' },
]

export const MODE_CHOICES: readonly { value: VisibilityMode; label: string; help: string }[] = [
  { value: 'auto', label: 'Auto', help: 'Your photos are blurred until you match.' },
  { value: 'limited', label: 'Limited', help: 'Others see up to three photos and a few facts.' },
  { value: 'full', label: 'Full', help: 'Others see all you make public.' },
  { value: 'hidden', label: 'Hidden', help: 'You are not in Discover. Your matches can still chat with you.' },
]

/** 1000 is no limit (ruling R8). */
export function milesInWords(miles: number): string {
  if (miles >= MAX_DISTANCE_MILES) return `${MAX_DISTANCE_MILES}+ miles`
  return miles === 1 ? '1 mile' : `${miles} miles`
}

/** The words of the chosen values, in the order of the choices. */
export function labelsOf(choices: readonly { value: string; label: string }[], values: readonly string[]): string {
  return choices
    .filter(({ value }) => values.includes(value))
    .map(({ label }) => label)
    .join(', ')
}
