import { LOOKING_FOR, LOOKING_FOR_LABELS, PRIVATE_VIBE_LABELS, PRIVATE_VIBES } from '../../../domain/profile/choices.ts'
import type { ChoiceGroup } from '../../ui/lists/options.tsx'

const PUBLIC = LOOKING_FOR.map((value) => ({ value, label: LOOKING_FOR_LABELS[value] }))
const PRIVATE = PRIVATE_VIBES.map((value) => ({ value, label: PRIVATE_VIBE_LABELS[value] }))

export const vibeLabel = (vibe: string): string =>
  [...PUBLIC, ...PRIVATE].find(({ value }) => value === vibe)?.label ?? vibe

/** What a member may have as their own. */
export const OWN_VIBES: readonly ChoiceGroup[] = [
  { group: 'Public', choices: PUBLIC },
  { group: 'Private, shown to matches', choices: PRIVATE },
]

/** What the deck may be filtered by: of the private ones the member's own alone (ruling R33). */
export const vibeFilters = (own: string | undefined): readonly ChoiceGroup[] => [
  { group: 'Public', choices: PUBLIC },
  { group: 'Private', choices: PRIVATE.map((choice) => ({ ...choice, disabled: choice.value !== own })) },
]
