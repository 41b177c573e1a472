import { randomBytes } from 'node:crypto'

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'
const LENGTH = 24
// The highest multiple of 36 in a byte: bytes above would favour the first digits.
const FAIR = 252

/** 24 characters of 0-9 and a-z, about 124 random bits (api-contract §6.0). */
export function randomId(): string {
  let id = ''
  while (id.length < LENGTH) {
    for (const byte of randomBytes(LENGTH * 2)) if (byte < FAIR && id.length < LENGTH) id += DIGITS[byte % 36]
  }
  return id
}
