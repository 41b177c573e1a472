import { type MemberId, pairIdOf } from '../domain/shared/ids.ts'
import type { Position } from '../domain/shared/recorded.ts'
import { itemOf } from './preparing.ts'
import { closedByAbsence } from './pushes/room-closed.ts'
import { type Absence, type Away, changesAccount } from './rights/absences.ts'
import type { Rights } from './rights/rights.ts'
import type { Item } from './ring.ts'
import { endsOpen } from './silent.ts'
import type { EventSource } from './source.ts'

export type MissedClosingsDeps = {
  readonly source: EventSource
  readonly rights: Pick<Rights, 'isMatched'>
  readonly absencesAfter: (position: Position) => readonly Absence[]
  /** How many erasures are looked at for one socket. */
  readonly most: number
}

/** Events of a member's stream that are read at once, from the newest on. */
const LOOKED_AT = 20

/**
 * The rooms of one member that ended after a position with the account of the other, as the log has it: the same frame as
 * live, and the same that a block gives, whatever this node knew of the two by then.
 */
export class MissedClosings {
  private readonly news = new Map<Absence, boolean>()
  private readonly rooms = new Map<Absence, boolean>()

  constructor(
    private readonly me: MemberId,
    private readonly after: Position,
    private readonly deps: MissedClosingsDeps,
  ) {}

  /** A look at each would cost more than a page that loads again. */
  get tooMany(): boolean {
    return this.absences().filter(({ erased }) => erased).length > this.deps.most
  }

  /** What has to be read before `items` is whole; null when nothing is missing. Rejects where the log is away. */
  waiting(): Promise<void> | null {
    if (this.tooMany) return null
    const unknown = this.absences().filter((one) => this.mayBeRoom(one) && !this.isKnown(one))
    return unknown.length > 0 ? Promise.all(unknown.map((one) => this.look(one))).then(() => undefined) : null
  }

  /** `reached`: of this member's, up to where all has been sent that was on its way. */
  items(reached: Position): Item[] {
    const isOnItsWay = ({ event, announced }: Absence) => event.position > reached && announced.has(this.me)
    const ended = this.absences().filter((one) => this.mayBeRoom(one) && this.news.get(one) && !isOnItsWay(one))
    return ended.map(({ event }) => itemOf(event, closedByAbsence(event, this.me)))
  }

  private absences(): readonly Absence[] {
    return this.deps.absencesAfter(this.after)
  }

  /** The rights know the rooms with all but erased members: of those the stream of the pair does. */
  private mayBeRoom(absence: Absence): boolean {
    if (!absence.erased) return this.deps.rights.isMatched(this.me, absence.event.member)
    return this.rooms.get(absence) ?? absence.event.member !== this.me
  }

  private isKnown(absence: Absence): boolean {
    return this.news.has(absence) && (!absence.erased || this.rooms.has(absence))
  }

  private async look(absence: Absence): Promise<void> {
    const { source } = this.deps
    const { event, erased } = absence
    if (erased) this.rooms.set(absence, await endsOpen(`pair-${pairIdOf(this.me, event.member)}`, source))
    const isNews = !this.mayBeRoom(absence) || (await wasThere(event, source))
    this.news.set(absence, isNews)
  }
}

/** Whether the account was active right before: a room that was closed already does not close again. */
async function wasThere({ type, stream, revision }: Away, source: EventSource): Promise<boolean> {
  if (type === 'AccountDeactivated') return true
  for (let end = revision; end > 0; end -= LOOKED_AT) {
    const from = Math.max(0, end - LOOKED_AT)
    const last = (await source.read(stream, from, end - from)).filter((event) => changesAccount(event.type)).at(-1)
    if (last) return last.type !== 'AccountDeactivated' && last.type !== 'AccountSuspended'
  }
  return true
}
