import type { Card } from '../../../../projections/view/present.ts'

/** An interest on a card; `shared`: the viewer has it too. */
export type Interest = { readonly name: string; readonly shared: boolean }
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
  const marked = interests.map((name) => ({ name, shared: mine.includes(name) }))
  const shown = [...marked.filter(({ shared }) => shared), ...marked.filter(({ shared }) => !shared)]
  return { ...drawn, interests: shown, commandId: crypto.randomUUID() }
}

/** The page with all that may be seen of a person. */
export const profileOf = (id: string): string => `/view/${id}`
