const KEPT = 10_000

/**
 * The ring that filled a deck last, so that the same deck's next search begins there. Any ring that fills a deck holds
 * the nearest: a guess that is out of date costs time, never order.
 */
class FilledRings {
  private readonly rings = new Map<string, number>()

  of(deck: string): number {
    return this.rings.get(deck) ?? 0
  }

  remember(deck: string, ring: number): void {
    this.rings.delete(deck)
    this.rings.set(deck, ring)
    if (this.rings.size > KEPT) this.rings.delete(this.rings.keys().next().value as string)
  }
}

export const filledRings = new FilledRings()
