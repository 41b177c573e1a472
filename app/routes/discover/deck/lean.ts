/** A card turns by one degree for so many pixels. */
const PX_PER_DEGREE = 18
const PEEK_PX = 10
const BEHIND = 0.96
const MOST_TINT = 0.5
/** What grows with the lean does so in steps that the eye takes for none. */
const STEPS = 24

/**
 * Shows how far a card is dragged, once a frame, by transforms and opacity alone: the card tilts, its stamp and tint grow,
 * and the card behind comes forward. Released, the styles of the sheet take over from where they are.
 */
export class Lean {
  private readonly stamps: { readonly left: HTMLElement | null; readonly right: HTMLElement | null }
  private readonly tint: HTMLElement | null
  private readonly next: HTMLElement | null
  private frame = 0
  private dx = 0
  private side: 'left' | 'right' | null = null
  private step = 0

  /** `full`: the pixels that decide. */
  constructor(
    private readonly card: HTMLElement,
    private readonly full: number,
  ) {
    this.stamps = { left: card.querySelector('.deck-stamp-skip'), right: card.querySelector('.deck-stamp-buzz') }
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
    const { card, next, tint, stamps } = this
    const inner = [...card.querySelectorAll<HTMLElement>('.deck-stamp > span')]
    for (const one of [card, next, tint, stamps.left, stamps.right, ...inner]) {
      one?.removeAttribute('data-dragging')
      one?.style.removeProperty('transform')
      one?.style.removeProperty('opacity')
    }
  }

  private draw(): void {
    this.frame = 0
    const { dx } = this
    this.card.style.transform = `translate3d(${dx}px, 0, 0) rotate(${dx / PX_PER_DEGREE}deg)`
    const side = dx > 0 ? 'right' : 'left'
    const step = Math.round(Math.min(1, Math.abs(dx) / this.full) * STEPS)
    if (side !== this.side) this.turn(side)
    else if (step === this.step) return
    this.step = step
    this.grow(side, step / STEPS)
  }

  private turn(side: 'left' | 'right'): void {
    const before = this.side && this.stamps[this.side]
    if (before) before.style.opacity = '0'
    if (this.tint) this.tint.dataset.side = side
    this.side = side
  }

  private grow(side: 'left' | 'right', share: number): void {
    const { tint, next } = this
    const stamp = this.stamps[side]
    if (stamp) stamp.style.opacity = String(share)
    const inner = stamp?.firstElementChild as HTMLElement | undefined
    if (inner) inner.style.transform = `scale(${0.7 + 0.3 * share})`
    if (tint) tint.style.opacity = String(share * MOST_TINT)
    if (next)
      next.style.transform = `translate3d(0, ${PEEK_PX * (1 - share)}px, 0) scale(${BEHIND + (1 - BEHIND) * share})`
  }
}
