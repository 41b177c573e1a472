import { type DraftCaps, DraftRoom, type Sender } from '../../services/media/draft-room.ts'

const KIB = 1024
const MIB = 1024 * KIB
/** Calls and ordinary forms bring no more, and count for nothing. */
const UNCOUNTED_BYTES = 64 * KIB
/** No form has more text; whatever else it brings is files, which are on disk. */
const COUNTED_BYTES = MIB
/** Bodies in memory; strangers have a quarter of a network's and of all (`DraftRoom`). */
const BODY_CAPS: DraftCaps = { holder: 32 * MIB, network: 64 * MIB, total: 512 * MIB }

/** What one body has of the room, until its request is answered. */
export type BodyTaken = {
  /** False where the next bytes are too many for its holder, its network or all. */
  take(bytes: number): boolean
  end(): void
}

/** The memory that bodies on their way share: whoever begins many forms and ends none holds no more than their share. */
export class BodyRoom {
  private readonly room: DraftRoom

  constructor(caps = BODY_CAPS) {
    this.room = new DraftRoom(caps)
  }

  enter(sender: Sender): BodyTaken {
    const { take, end } = this.room.enter(sender)
    let received = 0
    const countedOf = (bytes: number) => Math.max(0, Math.min(bytes, COUNTED_BYTES) - UNCOUNTED_BYTES)
    return {
      take: (bytes) => {
        const before = countedOf(received)
        received += bytes
        const counted = countedOf(received) - before
        return counted === 0 || take(counted)
      },
      end,
    }
  }
}
