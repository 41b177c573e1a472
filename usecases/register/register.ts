import { refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import { enroll, type RegisterOutcome } from './enroll.ts'
import { findProof, whyOver } from './proof.ts'

export type RegisterInput = {
  signupToken: string | null
  /** The registration payload with its password (api-contract C05). */
  payload: Readonly<Record<string, unknown>>
  /** For the list of sessions, such as "Firefox on Linux". */
  label: string
  /** A synthetic member of the demo world. */
  demo?: boolean
}

/** Registers the owner of a proof (api-contract C05). Of two sent at once, one is refused as busy. */
export async function register(
  ports: Ports,
  { signupToken, payload, label, demo = false }: RegisterInput,
): Promise<RegisterOutcome> {
  const proof = await findProof(ports, signupToken)
  if (!proof) return refused(await whyOver(ports, signupToken))
  const plain = typeof payload.password === 'string' ? payload.password : ''
  const password = proof.googleKey && !plain ? { hash: null } : { plain }
  return enroll(ports, proof, { payload, password, label, demo })
}
