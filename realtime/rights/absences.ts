import type { RecordedEvent } from '../../domain/all-events.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type Position, START } from '../../domain/shared/recorded.ts'

const AWAY = ['AccountDeactivated', 'AccountSuspended', 'AccountErased'] as const
const BACK = ['MemberRegistered', 'AccountReactivated', 'AccountReinstated'] as const
export type Away = RecordedEvent<(typeof AWAY)[number]>
type Back = RecordedEvent<(typeof BACK)[number]>

const isOneOf = (types: readonly string[], { type }: RecordedEvent) => types.includes(type)
export const isAway = (event: RecordedEvent): event is Away => isOneOf(AWAY, event)
const isBack = (event: RecordedEvent): event is Back => isOneOf(BACK, event)
export const changesAccount = (type: string): boolean => [...AWAY, ...BACK].some((one) => one === type)

/** An account that went away and is not back. `event` is the first of those that took it away. */
export type Absence = {
  readonly event: Away
  /** Of the pairs of an erased member nothing is left in the rights. */
  erasedAt: Position | null
  /** Whether the account was active right before, once somebody has asked. */
  wasThere?: boolean | Promise<boolean> | undefined
  /** Who had a room with an erased member until then, once somebody has asked. */
  rooms?: ReadonlySet<MemberId> | 'too-many' | undefined
  /** Members to whom the end of their room is on its way already. */
  readonly announced: ReadonlySet<MemberId>
}

/**
 * Accounts that went away lately, whoever their matches are: a member who comes later looks for theirs among them. Read
 * from the log alone, so that every node has the same.
 */
export class Absences {
  private absences = new Map<MemberId, Absence>()
  private newest = START

  constructor(private readonly most: number) {}

  fold(event: RecordedEvent, announced: readonly MemberId[]): void {
    if (isBack(event)) this.absences.delete(event.member)
    if (!isAway(event)) return
    const erasedAt = event.type === 'AccountErased' ? event.position : null
    const known = this.absences.get(event.member)
    if (known) known.erasedAt ??= erasedAt
    else {
      this.absences.set(event.member, { event, erasedAt, announced: new Set(announced) })
      this.newest = event.position
    }
  }

  /** Takes over what another has, which reaches further back and as far on. What is known of both stays. */
  succeed(longer: Absences): void {
    const own = this.absences
    this.absences = new Map(
      [...longer.absences].map(([member, one]) => {
        const known = own.get(member)
        return [member, known?.event.id === one.event.id ? known : one]
      }),
    )
    this.newest = longer.newest
  }

  /** What began after a position, in the order of the log. */
  after(position: Position): Absence[] {
    if (position >= this.newest) return []
    return [...this.absences.values()].filter(({ event }) => event.position > position)
  }

  /** Forgets what began up to the floor, and the oldest of too many. Answers up to where all are forgotten. */
  trim(floor: Position): Position {
    let forgotten = floor
    for (const [member, { event }] of this.absences) {
      if (event.position > floor && this.absences.size <= this.most) break
      this.absences.delete(member)
      if (event.position > forgotten) forgotten = event.position
    }
    return forgotten
  }
}
