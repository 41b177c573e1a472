import type { Asks } from './asks.ts'
import { OF_MEMBERS, OPEN_OF_LINE, OPEN_OF_STRANGERS } from './network-turns.ts'

/**
 * Counts what waits for its turn without its sender, whose connection counts no more: of one network or member, of all
 * strangers and of all members as many as may be open without an answer.
 */
export class LeftInLine {
  private readonly ofLines = new Map<string, number>()
  private strangers = 0
  private members = 0

  /** Null where as many wait already; else call it once it waits no more. */
  enter({ network, holder }: Pick<Asks, 'network' | 'holder'>): (() => void) | null {
    const isMember = holder !== undefined
    const line = isMember ? `member ${holder}` : network
    const isFull = isMember ? this.members >= OPEN_OF_STRANGERS * OF_MEMBERS : this.strangers >= OPEN_OF_STRANGERS
    if (isFull || (this.ofLines.get(line) ?? 0) >= OPEN_OF_LINE) return null
    this.count(line, isMember, 1)
    return () => this.count(line, isMember, -1)
  }

  private count(line: string, isMember: boolean, by: 1 | -1): void {
    const now = (this.ofLines.get(line) ?? 0) + by
    if (now > 0) this.ofLines.set(line, now)
    else this.ofLines.delete(line)
    if (isMember) this.members += by
    else this.strangers += by
  }
}
