import { type DraftCaps, DraftRoom, type Taken } from '../../services/media/draft-room.ts'

const KIB = 1024
const MIB = 1024 * KIB
/** Calls and ordinary forms of members and of those who sign up bring no more, and count for nothing. */
const UNCOUNTED_BYTES = 64 * KIB
/** Of those who show nothing: what they may ask for needs a few lines. */
const UNCOUNTED_OF_STRANGERS = 16 * KIB
/** No form has more text; whatever else it brings is files, which are on disk. */
const COUNTED_BYTES = MIB
/** Bodies in memory; who signs up with a proof has a quarter of a network's and of all (`DraftRoom`). */
const BODY_CAPS: DraftCaps = { holder: 32 * MIB, network: 64 * MIB, total: 512 * MIB }
/** Apart, so that addresses without end that show nothing take no room of those who do. */
const STRANGER_CAPS: DraftCaps = { holder: 0, network: 4 * MIB, total: 64 * MIB }

/** What one body has of the room, until its request is answered. */
export type BodyTaken = {
  /** False where the next bytes are too many for its holder, its network or all. */
  take(bytes: number): boolean
  /** A session or proof was found to be alive: from then on it is its holder's. */
  foundOf(holder: string, isVisitor: boolean): void
  end(): void
}

/** The memory that bodies on their way share: whoever begins many forms and ends none has no more than their share. */
export class BodyRoom {
  private readonly known: DraftRoom
  private readonly strangers: DraftRoom

  constructor(caps = BODY_CAPS, strangers = STRANGER_CAPS) {
    this.known = new DraftRoom(caps)
    this.strangers = new DraftRoom(strangers)
  }

  /** `holder`: the member whose token it shows, where that is known already. */
  enter(network: string, holder: string | undefined): BodyTaken {
    const ofKnown = (found: string, isVisitor: boolean) => this.known.enter({ holder: found, network, isVisitor })
    let share: Taken = holder
      ? ofKnown(holder, false)
      : this.strangers.enter({ holder: null, network, isVisitor: false })
    let uncounted = holder ? UNCOUNTED_BYTES : UNCOUNTED_OF_STRANGERS
    let [received, counted, isKnown] = [0, 0, holder !== undefined]
    const count = () => {
      const more = Math.max(0, Math.min(received, COUNTED_BYTES) - uncounted) - counted
      if (more <= 0) return true
      const isRoom = share.take(more) === true
      if (isRoom) counted += more
      return isRoom
    }
    return {
      take: (bytes) => {
        received += bytes
        return count()
      },
      foundOf(found, isVisitor) {
        if (isKnown) return
        share.end()
        share = ofKnown(found, isVisitor)
        ;[uncounted, counted, isKnown] = [UNCOUNTED_BYTES, 0, true]
        // Where there is no room for what has come, the next bytes find that out.
        count()
      },
      end: () => share.end(),
    }
  }
}
