import type { Card } from '../../../../projections/view/present.ts'
import { type Interest, markShared } from '../../../ui/panes/shared-interests.ts'

/** What the deck draws of a card, with the id of the command that its decision will be. */
export type DealtCard = Pick<
  Card,
  'id' | 'firstName' | 'age' | 'distanceBand' | 'photos' | 'vibe' | 'verified' | 'bio'
> & { readonly interests: readonly Interest[]; readonly commandId: string }

/** Who was skipped last, with the id of the command that would undo it; null for nobody. */
export type LastSkip = { readonly to: string; readonly firstName: string; readonly commandId: string } | null

/** The card as this viewer's deck draws it: what both share stands first. */
export function dealtCard(card: Card, mine: readonly string[]): DealtCard {
  const { interests, distanceMeters: _, visibilityMode: __, ...drawn } = card
  return { ...drawn, interests: markShared(interests, mine), commandId: crypto.randomUUID() }
}

/** The page with all that may be seen of a person. */
export const profileOf = (id: string): string => `/view/${id}`
