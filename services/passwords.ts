import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import { normal } from '../domain/shared/normal.ts'
import { createQueue, type InTurn } from './queue.ts'

/** argon2id as OWASP's minimum has it (security §2.2): 19 MiB, two passes, one lane. */
const OPTIONS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** So that a storm of sign-ins leaves the machine to others. */
const AT_ONCE = 4
/** Longer ones are refused before they cost anything. */
const MAX_UNITS = 1024

/**
 * `network`: of whoever asks. Networks take turns, so that many who ask from one keep the others waiting for one at a time.
 * `left`: whoever asks has left; where they have by their turn, nothing is compared, and the signal's reason is thrown.
 */
export type Passwords = {
  hash(password: string, network: string): Promise<string>
  verify(passwordHash: string, password: string, network: string, left?: AbortSignal): Promise<boolean>
  /** Takes as long as a real comparison: for addresses that nobody has. */
  verifyDummy(password: string, network: string, left?: AbortSignal): Promise<false>
}

/** Of all who hash on one machine together. */
export const createHashTurns = (): InTurn => createQueue(AT_ONCE)

/** `inTurn`: by default the turns of this process alone. */
export function createPasswords(inTurn: InTurn = createHashTurns()): Passwords {
  const hash = (password: string, network: string) => inTurn(() => argon2Hash(normal(password), OPTIONS), network)
  let dummy: Promise<string> | undefined

  const verify: Passwords['verify'] = async (passwordHash, password, network, left) => {
    if (password.length > MAX_UNITS) return false
    const compare = async () => {
      left?.throwIfAborted()
      return argon2Verify(passwordHash, normal(password), OPTIONS)
    }
    return inTurn(compare, network)
  }
  return {
    hash,
    verify,
    async verifyDummy(password, network, left) {
      dummy ??= hash('nobody has this one', network).catch((error: unknown) => {
        // Made again: a try that found no turn spoils no later one.
        dummy = undefined
        throw error
      })
      await verify(await dummy, password, network, left)
      return false
    },
  }
}
