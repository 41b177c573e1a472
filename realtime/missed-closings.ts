import { type MemberId, pairIdOf } from '../domain/shared/ids.ts'
import type { Position } from '../domain/shared/recorded.ts'
import { itemOf } from './preparing.ts'
import { closedByAbsence } from './pushes/room-closed.ts'
import { type Absence, type Away, changesAccount } from './rights/absences.ts'
import type { Rights } from './rights/rights.ts'
import type { Item } from './ring.ts'
import { endsOpen } from './silent.ts'
import type { EventSource } from './source.ts'

/**
 * With which of others a member has a room that is open, or was until the other was erased; as of a position, START where
 * there is no such read model.
 */
export type ReadRooms = (
  member: MemberId,
  others: readonly MemberId[],
) => Promise<{ readonly at: Position; readonly others: readonly MemberId[] }>

export type MissedClosingsDeps = {
  readonly source: EventSource
  readonly readRooms: ReadRooms
  readonly rights: Pick<Rights, 'isMatched'>
  readonly absencesAfter: (position: Position) => readonly Absence[]
  /** Runs a look once it is the member's turn. */
  readonly inTurn: (member: MemberId, look: () => Promise<void>) => Promise<void>
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
    return this.absences().filter(({ erasedAt }) => erasedAt).length > this.deps.most
  }

  /** Something has to be read before `items` is whole. */
  get needsLook(): boolean {
    return this.unknown().length > 0
  }

  /** Reads it, unless nobody wants it any more by then; null when nothing is missing. Rejects where it cannot be read. */
  waiting(isWanted: () => boolean): Promise<void> | null {
    if (!this.needsLook) return null
    return this.deps.inTurn(this.me, async () => {
      if (isWanted()) await this.look(this.unknown())
    })
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

  private unknown(): Absence[] {
    return this.absences().filter((one) => this.mayBeRoom(one) && !this.isKnown(one))
  }

  /** The rights know the rooms with all but erased members. */
  private mayBeRoom(absence: Absence): boolean {
    if (!absence.erasedAt) return this.deps.rights.isMatched(this.me, absence.event.member)
    return this.rooms.get(absence) ?? absence.event.member !== this.me
  }

  private isKnown(absence: Absence): boolean {
    return this.news.has(absence) && (!absence.erasedAt || this.rooms.has(absence))
  }

  private async look(absences: readonly Absence[]): Promise<void> {
    await this.lookForRooms(absences.filter((one) => one.erasedAt && !this.rooms.has(one)))
    const rooms = absences.filter((one) => this.mayBeRoom(one))
    await Promise.all(rooms.map(async (one) => this.news.set(one, await wasThere(one, this.deps.source))))
  }

  /** One question for all; of an erasure that the read model has not come to the stream of the pair knows it. */
  private async lookForRooms(erasures: readonly Absence[]): Promise<void> {
    if (erasures.length === 0) return
    const { source, readRooms } = this.deps
    const { at, others } = await readRooms(
      this.me,
      erasures.map(({ event }) => event.member),
    )
    const isRoom = ({ event: { member }, erasedAt }: Absence) =>
      erasedAt! <= at ? others.includes(member) : endsOpen(`pair-${pairIdOf(this.me, member)}`, source)
    await Promise.all(erasures.map(async (one) => this.rooms.set(one, await isRoom(one))))
  }
}

/** Whether the account was active right before: a room that was closed already does not close again. Read once for all. */
function wasThere(absence: Absence, source: EventSource): Promise<boolean> {
  absence.wasThere ??= readWasThere(absence.event, source).catch((error) => {
    absence.wasThere = undefined
    throw error
  })
  return absence.wasThere
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
