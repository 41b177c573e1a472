import { createHash, randomInt } from 'node:crypto'

const NUMBER_BYTES = 4
const SALTS = 2 ** 32

/** The first revision that a command wrote, how many events, and what distinguishes it from others with its id. */
export type CommandMark = {
  readonly revision: number
  readonly count: number
  readonly commandHash: string | undefined
}
/** Events that a command may have written: how many from which revision on. */
export type Range = { readonly revision: number; readonly count: number }

/**
 * Which commands wrote the beginning of a stream, in eight bytes each: a hash of the id, and the first revision. It misses
 * none of them; another id may share a hash with one, so what it finds has to be looked up. Clients choose the ids: a salt
 * that nobody sees keeps them from choosing many of one hash.
 */
export class CommandIndex {
  static readonly EMPTY = new CommandIndex(0, new Uint32Array(0), new Uint32Array(0), 0)

  private constructor(
    private readonly salt: number,
    private readonly hashes: Uint32Array,
    private readonly revisions: Uint32Array,
    /** The first revision that it does not cover. */
    readonly end: number,
  ) {}

  get size(): number {
    return this.hashes.length
  }

  /** Throws for bytes that are no index. */
  static fromBytes(bytes: Uint8Array, end: number): CommandIndex {
    const numbers = new Uint32Array(new Uint8Array(bytes).buffer)
    const salt = numbers[0]
    if (salt === undefined || numbers.length % 2 === 0)
      throw new Error('an index of commands has a salt, and two numbers for each')
    const size = (numbers.length - 1) / 2
    return new CommandIndex(salt, numbers.subarray(1, size + 1), numbers.subarray(size + 1), end)
  }

  toBytes(): Buffer {
    const numbers = joined(Uint32Array.of(this.salt), joined(this.hashes, this.revisions))
    return Buffer.from(numbers.buffer, 0, numbers.length * NUMBER_BYTES)
  }

  find(commandId: string): Range[] {
    if (this.size === 0) return []
    const hash = hashOf(this.salt, commandId)
    const ranges: Range[] = []
    for (let at = this.hashes.indexOf(hash); at !== -1; at = this.hashes.indexOf(hash, at + 1)) {
      const revision = this.revisions[at]!
      ranges.push({ revision, count: (this.revisions[at + 1] ?? this.end) - revision })
    }
    return ranges
  }

  /** With the commands that wrote from its end on, up to another end. */
  upTo(end: number, commands: ReadonlyMap<string, CommandMark>): CommandIndex {
    const later = [...commands]
      .filter(([, { revision }]) => revision >= this.end && revision < end)
      .sort(([, a], [, b]) => a.revision - b.revision)
    const salt = this.size === 0 ? randomInt(SALTS) : this.salt
    const hashes = Uint32Array.from(later, ([id]) => hashOf(salt, id))
    const revisions = Uint32Array.from(later, ([, { revision }]) => revision)
    return new CommandIndex(salt, joined(this.hashes, hashes), joined(this.revisions, revisions), end)
  }
}

function joined(first: Uint32Array, second: Uint32Array): Uint32Array {
  const all = new Uint32Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

const hashOf = (salt: number, commandId: string) =>
  createHash('sha256').update(`${salt} ${commandId}`).digest().readUInt32LE(0)
