import { randomFillSync } from 'node:crypto'

const BYTES = 16
/** The system is asked for so many at a time: asking takes as long as reading a request. */
const ASKED_FOR = 64

const pool = Buffer.alloc(BYTES * ASKED_FOR)
let used = pool.length

/** 128 random bits for a Content-Security-Policy, in base64url. */
export function makeNonce(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += BYTES
  return pool.toString('base64url', used - BYTES, used)
}
