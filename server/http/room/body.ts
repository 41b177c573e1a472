import { setTimeout as pause } from 'node:timers/promises'
import type { Sender } from '../../../services/media/draft-room.ts'
import type { BodyPool, Portion } from './body-pool.ts'

const KIB = 1024
/** While some of a body is to come: what its connection, its streams and whoever reads it take, and what is on its way to disk. */
export const OPEN_BYTES = 256 * KIB
const ON_ITS_WAY_BYTES = 192 * KIB
/** No form has more text; whatever else it brings is files, which go to disk. */
const COUNTED_BYTES = 1024 * KIB
/** Files are removed sooner, unless the disk is far behind. */
const GONE_MS = 2_000

/** What one body has of the room, until its request is answered. */
export type BodyTaken = {
  /** Some of it is still to come. `cutOff` ends it where others need the room more; of it nothing counts from then on. */
  open(cutOff: () => void): void
  /** No more of it is to come: it goes for nobody, also while it waits, and what has come of it counts until its end. */
  whole(): void
  /** False where the next bytes are too many beside others; nothing of it counts from then on. */
  take(bytes: number): boolean
  /** So many of its bytes go to disk, and are in memory no more; false where they are too many beside others. */
  toDisk(bytes: number, sender: Sender): Promise<boolean>
  /** A session or proof was found to be alive: from then on it is its holder's. */
  foundOf(holder: string, isVisitor: boolean): void
  end(): void
}

/** Where its memory counts, and beyond how many bytes once it has come. */
export type Counting = { readonly pool: BodyPool; readonly sender: Sender; readonly uncounted: number }

/** `leaving`: until their files are gone, those that went for others. */
export type Disk = { readonly pool: BodyPool; readonly leaving: Set<Promise<void>> }

/** `ofKnown`: where it counts once it is found whose it is. */
export class Body implements BodyTaken {
  private memory: Portion
  private files: Portion | undefined
  private inMemory = 0
  private counted = 0
  private cutOff: (() => void) | undefined
  private isOver = false
  private ended = () => {}
  private readonly gone = new Promise<void>((resolve) => {
    this.ended = resolve
  })

  constructor(
    private counting: Counting,
    private readonly disk: Disk,
    private ofKnown?: (holder: string, isVisitor: boolean) => Counting,
  ) {
    this.memory = counting.pool.enter(counting.sender)
  }

  open(cutOff: () => void): void {
    if (this.isOver || this.cutOff) return
    this.cutOff = cutOff
    this.countOpen()
  }

  whole(): void {
    if (this.isOver || !this.cutOff) return
    this.cutOff = undefined
    this.memory.cut = null
    if (this.files) this.files.cut = null
    this.counting.pool.give(this.memory, OPEN_BYTES)
    // It is there, whether or not there is room for it.
    if (!this.count()) this.counting.pool.takeAnyway(this.memory, this.uncountedYet())
    this.counted += this.uncountedYet()
  }

  take(bytes: number): boolean {
    if (this.isOver) return false
    this.inMemory += bytes
    this.memory.pace.add(bytes)
    const isRoom = this.count()
    if (!isRoom) this.leave()
    return isRoom
  }

  async toDisk(bytes: number, sender: Sender): Promise<boolean> {
    if (this.isOver) return false
    this.inMemory -= bytes
    this.count()
    const isRoom = this.takeDisk(bytes, sender)
    const { leaving } = this.disk
    if (isRoom && leaving.size > 0)
      await Promise.race([Promise.all(leaving), pause(GONE_MS, undefined, { ref: false })])
    return isRoom && !this.isOver
  }

  foundOf(holder: string, isVisitor: boolean): void {
    if (this.isOver || !this.ofKnown) return
    this.counting.pool.leave(this.memory)
    this.counting = this.ofKnown(holder, isVisitor)
    this.ofKnown = undefined
    this.memory = this.counting.pool.enter(this.counting.sender, this.memory.pace)
    this.counted = 0
    if (this.cutOff) this.countOpen()
    // Where there is no room for what has come, the next bytes find that out.
    this.count()
  }

  end(): void {
    this.leave()
    this.ended()
  }

  private countOpen(): void {
    this.counting.pool.takeAnyway(this.memory, OPEN_BYTES)
    this.memory.cut = () => this.go()
  }

  private count(): boolean {
    const { pool } = this.counting
    const more = this.uncountedYet()
    if (more > 0 && !pool.take(this.memory, more)) return false
    if (more < 0) pool.give(this.memory, -more)
    this.counted += more
    return true
  }

  /** Below zero where less is in memory than counts. */
  private uncountedYet(): number {
    const uncounted = this.cutOff ? ON_ITS_WAY_BYTES : this.counting.uncounted
    return Math.max(0, Math.min(this.inMemory, COUNTED_BYTES) - uncounted) - this.counted
  }

  private takeDisk(bytes: number, sender: Sender): boolean {
    const { pool, leaving } = this.disk
    this.files ??= pool.enter(sender, this.memory.pace)
    const goes = () => {
      leaving.add(this.gone)
      void this.gone.then(() => leaving.delete(this.gone))
      this.go()
    }
    this.files.cut = this.cutOff ? goes : null
    return pool.take(this.files, bytes)
  }

  /** For others. */
  private go(): void {
    const { cutOff } = this
    this.leave()
    cutOff?.()
  }

  private leave(): void {
    if (this.isOver) return
    this.isOver = true
    this.counting.pool.leave(this.memory)
    if (this.files) this.disk.pool.leave(this.files)
  }
}
