/** A card turns by one degree for so many pixels. */
const PX_PER_DEGREE = 18
const PEEK_PX = 10
const BEHIND = 0.96
const MOST_TINT = 0.5

/**
 * Shows how far a card is dragged, once a frame, by transforms and opacity alone: the card tilts, its stamp and tint grow,
 * and the card behind comes forward. Released, the styles of the sheet take over from where they are.
 */
export class Lean {
  private readonly stamps: readonly (HTMLElement | null)[]
  private readonly tint: HTMLElement | null
  private readonly next: HTMLElement | null
  private frame = 0
  private dx = 0

  /** `full`: the pixels that decide. */
  constructor(
    private readonly card: HTMLElement,
    private readonly full: number,
  ) {
    this.stamps = [card.querySelector('.deck-stamp-skip'), card.querySelector('.deck-stamp-buzz')]
    this.tint = card.querySelector('.deck-tint')
    this.next = card.parentElement?.querySelector('[data-next]') ?? null
    for (const one of [card, this.next]) one?.setAttribute('data-dragging', '')
  }

  to(dx: number): void {
    this.dx = dx
    this.frame ||= requestAnimationFrame(() => this.draw())
  }

  release(): void {
    cancelAnimationFrame(this.frame)
    for (const one of [this.card, this.next, this.tint, ...this.stamps]) {
      one?.removeAttribute('data-dragging')
      one?.style.removeProperty('transform')
      one?.style.removeProperty('opacity')
    }
  }

  private draw(): void {
    this.frame = 0
    const { dx, full } = this
    const share = Math.min(1, Math.abs(dx) / full)
    this.card.style.transform = `translate3d(${dx}px, 0, 0) rotate(${dx / PX_PER_DEGREE}deg)`
    this.stamps.forEach((stamp, at) => {
      const shown = at === (dx > 0 ? 1 : 0) ? share : 0
      if (stamp) stamp.style.opacity = String(shown)
      if (stamp) stamp.style.transform = `scale(${0.7 + 0.3 * shown})`
    })
    if (this.tint) {
      this.tint.style.opacity = String(share * MOST_TINT)
      this.tint.dataset.side = dx > 0 ? 'right' : 'left'
    }
    if (this.next)
      this.next.style.transform = `translate3d(0, ${PEEK_PX * (1 - share)}px, 0) scale(${BEHIND + (1 - BEHIND) * share})`
  }
}
