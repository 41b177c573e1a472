const MIB = 1024 * 1024

/** Whose bytes are on their way: a member or a visitor's proof, where there is one, and the network (`networkOf`). */
export type Sender = { readonly holder: string | null; readonly network: string; readonly isVisitor: boolean }

/** How many bytes of files may be on their way at once. */
export type DraftCaps = { readonly holder: number; readonly network: number; readonly total: number }

/** A holder's fits two videos, or one form with all it may bring. */
export const DRAFT_CAPS: DraftCaps = { holder: 128 * MIB, network: 256 * MIB, total: 2048 * MIB }

/** What visitors may have of a network's room and of all: anybody can have any number of proofs. */
const VISITORS = 1 / 4

/** What one form or upload has taken of the room, until it ends. */
export type Taken = {
  /** False, and nothing taken, where that is too much for its holder, its network or all. */
  take(bytes: number): boolean | Promise<boolean>
  end(): void
}

export type Room = {
  /** What is taken over `Taken` counts for its sender until `end`. */
  enter(sender: Sender): Taken
}

/** What a sender's bytes count for, the widest first, and how many bytes each has. */
export function sharesOf(
  { holder, network, isVisitor }: Sender,
  caps: DraftCaps,
): readonly (readonly [string, number])[] {
  const shares: [string, number][] = [
    ['', caps.total],
    [`network ${network}`, caps.network],
  ]
  if (isVisitor) {
    shares.push(['visitors', caps.total * VISITORS])
    shares.push([`visitors of ${network}`, caps.network * VISITORS])
  }
  if (holder !== null) shares.push([`holder ${holder}`, caps.holder])
  return shares
}

/** The room on disk that files on their way share, so that nobody fills it for the others. */
export class DraftRoom implements Room {
  private readonly used = new Map<string, number>()

  constructor(private readonly caps: DraftCaps = DRAFT_CAPS) {}

  enter(sender: Sender) {
    const shares = sharesOf(sender, this.caps)
    let taken = 0
    const add = (bytes: number) => {
      taken += bytes
      for (const [key] of shares) this.add(key, bytes)
    }
    return {
      take: (bytes: number): boolean => {
        const isRoom = shares.every(([key, cap]) => (this.used.get(key) ?? 0) + bytes <= cap)
        if (isRoom) add(bytes)
        return isRoom
      },
      end: () => add(-taken),
    }
  }

  private add(key: string, bytes: number): void {
    const now = (this.used.get(key) ?? 0) + bytes
    if (now > 0) this.used.set(key, now)
    else this.used.delete(key)
  }
}
