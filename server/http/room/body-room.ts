import { DRAFT_CAPS, type DraftCaps } from '../../../services/media/draft-room.ts'
import { Body, type BodyTaken, type Disk } from './body.ts'
import { BodyPool } from './body-pool.ts'

const KIB = 1024
const MIB = 1024 * KIB
/** Calls and ordinary forms of members and of those who sign up bring no more, and count for nothing once they have come. */
const UNCOUNTED_BYTES = 64 * KIB
/** Of those who show nothing: what they may ask for needs a few lines. */
const UNCOUNTED_OF_STRANGERS = 16 * KIB
/** Bodies in memory; who signs up with a proof has a quarter of a network's and of all (`sharesOf`). */
const BODY_CAPS: DraftCaps = { holder: 32 * MIB, network: 64 * MIB, total: 512 * MIB }
/** Apart, so that addresses without end that show nothing take no room of those who do. */
const STRANGER_CAPS: DraftCaps = { holder: 0, network: 4 * MIB, total: 64 * MIB }

/** `disk`: of this process; all together have no more than `DraftRoom` lets them. */
export type BodyRoomOptions = {
  readonly caps?: DraftCaps
  readonly strangers?: DraftCaps
  readonly disk?: DraftCaps
  readonly now?: () => number
}

/**
 * The memory, and the disk, that bodies on their way share: whoever begins many and ends none has what others leave
 * (`BodyPool`).
 */
export class BodyRoom {
  private readonly known: BodyPool
  private readonly strangers: BodyPool
  private readonly disk: Disk

  constructor({
    caps = BODY_CAPS,
    strangers = STRANGER_CAPS,
    disk = DRAFT_CAPS,
    now = () => performance.now(),
  }: BodyRoomOptions = {}) {
    this.known = new BodyPool(caps, now)
    this.strangers = new BodyPool(strangers, now)
    this.disk = { pool: new BodyPool(disk, now), leaving: new Set() }
  }

  /** `holder`: the member whose token it shows, where that is known already. */
  enter(network: string, holder: string | undefined): BodyTaken {
    const { known, strangers, disk } = this
    const ofKnown = (found: string, isVisitor: boolean) => ({
      pool: known,
      sender: { holder: found, network, isVisitor },
      uncounted: UNCOUNTED_BYTES,
    })
    if (holder !== undefined) return new Body(ofKnown(holder, false), disk)
    const sender = { holder: null, network, isVisitor: false }
    return new Body({ pool: strangers, sender, uncounted: UNCOUNTED_OF_STRANGERS }, disk, ofKnown)
  }
}
