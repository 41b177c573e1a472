import { hash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type EventPoint, pointLength, readPoint, type Tuple } from './tuple.ts'

const DIGEST = 32
const FIRST_BYTES = 256 * 1024

export const sha256 = (...parts: readonly Buffer[]): Buffer =>
  hash('sha256', parts.length === 1 ? parts[0]! : Buffer.concat(parts), 'buffer')

/** An event of a listing: its point when it was sealed, and the hash of all its bytes. */
export type ListedEvent = EventPoint & { readonly digest: Buffer }

/**
 * Gathers the points and digests of a segment's events: by which a check finds the event of the segment that is not
 * what it was.
 */
export class Listing {
  private bytes = Buffer.allocUnsafe(FIRST_BYTES)
  private used = 0
  count = 0

  add(tuple: Tuple): void {
    const length = pointLength(tuple)
    this.grow(length + DIGEST)
    this.used += tuple.copy(this.bytes, this.used, 0, length)
    this.used += sha256(tuple).copy(this.bytes, this.used)
    this.count++
  }

  /** The bytes so far, as a copy; the listing is empty after it. */
  take(): Buffer {
    const taken = Buffer.from(this.bytes.subarray(0, this.used))
    this.used = 0
    this.count = 0
    return taken
  }

  private grow(more: number): void {
    if (this.used + more <= this.bytes.length) return
    const next = Buffer.allocUnsafe((this.bytes.length + more) * 2)
    this.bytes.copy(next, 0, 0, this.used)
    this.bytes = next
  }
}

/** In log order. */
export function readListing(bytes: Buffer): ListedEvent[] {
  const listed: ListedEvent[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + pointLength(bytes, at)
    listed.push({ ...readPoint(bytes, at), digest: bytes.subarray(end, end + DIGEST) })
    at = end + DIGEST
  }
  return listed
}

export const pack = (listing: Buffer): Buffer => deflateRawSync(listing, { level: 1 })

/** Null when the packed bytes were altered. */
export function unpack(packed: Buffer): Buffer | null {
  try {
    return inflateRawSync(packed)
  } catch {
    return null
  }
}
