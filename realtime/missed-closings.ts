import type { MemberId } from '../domain/shared/ids.ts'
import type { Position } from '../domain/shared/recorded.ts'
import { itemOf } from './preparing.ts'
import type { ResyncReason } from './protocol.ts'
import { closedByAbsence } from './pushes/room-closed.ts'
import { type Absence, type Away, changesAccount } from './rights/absences.ts'
import type { ErasedRooms } from './rights/erased-rooms.ts'
import type { Rights } from './rights/rights.ts'
import type { Item } from './ring/ring.ts'
import type { EventSource } from './source.ts'

export type MissedClosingsDeps = {
  readonly source: EventSource
  readonly rights: Pick<Rights, 'isMatched'>
  readonly erasedRooms: Pick<ErasedRooms, 'areBehind' | 'waitsFor'>
  readonly absencesAfter: (position: Position) => readonly Absence[]
  /** How many erasures are looked at for one socket. */
  readonly most: number
}

/** Events of a member's stream that are read at once, from the newest on. */
const LOOKED_AT = 20

/**
 * The rooms of one member that ended after a position with the account of the other, as the log has it: the same frame as
 * live, and the same that a block gives, whatever this node knew of the two by then. What has to be read for it is read
 * once for all members and kept with the absence.
 */
export class MissedClosings {
  constructor(
    private readonly me: MemberId,
    private readonly after: Position,
    private readonly deps: MissedClosingsDeps,
  ) {}

  /** Why the page has to load again: there is more than a node keeps rooms of, or these are from before what it remembers. */
  get refused(): ResyncReason | null {
    const absences = this.absences()
    const erased = absences.filter(({ erasedAt }) => erasedAt)
    if (erased.length > this.deps.most || erased.some(({ rooms }) => rooms === 'too-many')) return 'too-much'
    return this.deps.erasedRooms.areBehind(absences) ? 'gap' : null
  }

  /** What has to be read before `items` is whole; null when nothing is missing. Rejects where it cannot be read. */
  waiting(): Promise<unknown> | null {
    const absences = this.absences()
    const rooms = this.deps.erasedRooms.waitsFor(absences)
    if (rooms) return rooms
    const unknown = absences.filter((one) => this.isRoom(one) && typeof one.wasThere !== 'boolean')
    return unknown.length > 0 ? Promise.all(unknown.map((one) => wasThere(one, this.deps.source))) : null
  }

  /** `reached`: of this member's, up to where all has been sent that was on its way. */
  items(reached: Position): Item[] {
    const isOnItsWay = ({ event, announced }: Absence) => event.position > reached && announced.has(this.me)
    const ended = this.absences().filter((one) => this.isRoom(one) && one.wasThere === true && !isOnItsWay(one))
    return ended.map(({ event }) => itemOf(event, closedByAbsence(event, this.me)))
  }

  private absences(): readonly Absence[] {
    return this.deps.absencesAfter(this.after)
  }

  /** The rights know the rooms with all but erased members. */
  private isRoom({ event: { member }, erasedAt, rooms }: Absence): boolean {
    return erasedAt ? rooms instanceof Set && rooms.has(this.me) : this.deps.rights.isMatched(this.me, member)
  }
}

/** Whether the account was active right before: a room that was closed already does not close again. */
async function wasThere(absence: Absence, source: EventSource): Promise<void> {
  absence.wasThere ??= readWasThere(absence.event, source).catch((error) => {
    absence.wasThere = undefined
    throw error
  })
  absence.wasThere = await absence.wasThere
}

async function readWasThere({ type, stream, revision }: Away, source: EventSource): Promise<boolean> {
  if (type === 'AccountDeactivated') return true
  for (let end = revision; end > 0; end -= LOOKED_AT) {
    const from = Math.max(0, end - LOOKED_AT)
    const last = (await source.read(stream, from, end - from)).filter((event) => changesAccount(event.type)).at(-1)
    if (last) return last.type !== 'AccountDeactivated' && last.type !== 'AccountSuspended'
  }
  return true
}
