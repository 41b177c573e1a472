/**
 * The product's master key, of 32 bytes; while it is rotated, several of them: the first one seals, each of them opens.
 */
export type MasterKey = Uint8Array | MasterKeys
export type MasterKeys = readonly [Uint8Array, ...Uint8Array[]]

export const masterKeysOf = (key: MasterKey): MasterKeys => (key instanceof Uint8Array ? [key] : key)

/** What the first of the keys that fits makes of it. Throws what the first of all threw when none does. */
export function byAny<Key, T>([first, ...others]: readonly [Key, ...Key[]], work: (key: Key) => T): T {
  try {
    return work(first)
  } catch (error) {
    for (const key of others) {
      try {
        return work(key)
      } catch {
        // The next one may fit.
      }
    }
    throw error
  }
}
