/** What is attacked, from where, by whose sessions, and until when. */
export type Target = {
  readonly url: string
  readonly port: number
  readonly address: string
  /** Each is a network of its own; the session of the same place is used from there. */
  readonly addresses: readonly string[]
  readonly tokens: readonly string[]
  readonly absent: readonly Absent[]
  readonly stopped: () => boolean
  readonly tally: Tally
}

/** A member's session, whom they are matched with, and a position in the log since which several hundred KB were sent to them. */
export type Absent = { readonly id: string; readonly token: string; readonly other: string; readonly last: string }

export type Attack = (target: Target) => Promise<void>

/** `outcomes`: how often each status, close code or other end came. `reached`: those that met what is attacked, and no limit before it. */
export type Counted = { readonly outcomes: Readonly<Record<string, number>>; readonly reached: number }

export class Tally {
  private readonly outcomes: Record<string, number> = {}
  private reached = 0

  count(outcome: string | number, reached: boolean): void {
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1
    if (reached) this.reached++
  }

  get counted(): Counted {
    return { outcomes: this.outcomes, reached: this.reached }
  }
}
