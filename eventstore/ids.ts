import { createHash } from 'node:crypto'

/** RFC 9562 §5.5, with one namespace for the whole product. */
const NAMESPACE = Buffer.from('6f1d6f0c5c9a4f0e9d1b7f4a2c3e8b55', 'hex')

/** A UUID that is the same for the same parts: event ids, command ids of reactors. */
export function uuidFrom(...parts: readonly (string | number)[]): string {
  const hash = createHash('sha1').update(NAMESPACE).update(parts.join('\u0000')).digest().subarray(0, 16)
  hash[6] = (hash[6]! & 0x0f) | 0x50
  hash[8] = (hash[8]! & 0x3f) | 0x80
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** An id for clients (24 characters, api-contract §6.0) that is the same for the same parts. */
export function idFrom(...parts: readonly (string | number)[]): string {
  const hash = createHash('sha256').update(parts.join('\u0000')).digest('hex')
  return BigInt(`0x${hash}`).toString(36).slice(-24).padStart(24, '0')
}
