import { type EventFrame, MESSAGE_IDS, NOTIFICATION_IDS } from '../../realtime/protocol.ts'

/** What has reached a page: up to where in the log, and which of the latest events, so that none shows twice. */
export class Memory {
  /** Everything up to it has come; null before the first word of the server. */
  covered: string | null
  /** The position of the newest event; others of the same position may still be on their way. */
  private latest: string | null
  private readonly messages = new Map<string, string>()
  private readonly others = new Map<string, string>()

  constructor(from: string | null) {
    this.covered = from
    this.latest = from
  }

  /** True for an event that the page has not had. */
  isNew({ name, id, pos }: EventFrame): boolean {
    if (this.covered !== null && pos <= this.covered) return false
    if (this.latest === null || pos > this.latest) {
      this.covered = this.latest
      this.latest = pos
    }
    const [ids, most] = name === 'direct:message' ? [this.messages, MESSAGE_IDS] : [this.others, NOTIFICATION_IDS]
    if (ids.has(id)) return false
    ids.set(id, pos)
    if (ids.size > most) ids.delete(ids.keys().next().value as string)
    return true
  }

  /** The server has sent everything up to there. */
  cover(pos: string): void {
    if (this.covered === null || pos > this.covered) this.covered = pos
    if (this.latest === null || pos > this.latest) this.latest = pos
  }

  /** The page was read again as of there; what came after counts as new once more. */
  restart(pos: string): void {
    this.covered = pos
    this.latest = pos
    for (const ids of [this.messages, this.others]) for (const [id, at] of ids) if (at > pos) ids.delete(id)
  }
}
