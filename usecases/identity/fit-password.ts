import { profileDecider } from '../../domain/profile/decider.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { findAddress } from '../../projections/profiles/queries.ts'
import type { PasswordRefusal } from '../../services/password-policy.ts'
import { type Refused, refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'

export type Unfit = 'passwords-differ' | PasswordRefusal

/** The spec compares the two after trimming (spec 1 §5); outer spaces of either are refused for themselves. */
export const passwordsDiffer = (password: string, confirm: string): boolean => password.trim() !== confirm.trim()

export async function unfitness(
  ports: Ports,
  email: string | null,
  password: string,
  confirm: string | undefined,
): Promise<Refused<Unfit> | null> {
  if (confirm !== undefined && passwordsDiffer(password, confirm)) return refused('passwords-differ')
  const verdict = await ports.checkPassword(password, email ? { email } : {})
  return verdict.ok ? null : refused(verdict.reason)
}

/**
 * The same by the names and the address of a member, for who has proved that they read their mail: nobody else may learn
 * these by trying passwords.
 */
export async function unfitnessFor(ports: Ports, member: MemberId, password: string): Promise<Refused<Unfit> | null> {
  const { firstName, lastName } = await ports.loadState(profileDecider, member)
  const address = await findAddress(ports.read, member)
  const personal = await ports.checkPassword(password, { firstName, lastName, ...(address && { email: address }) })
  return personal.ok ? null : refused(personal.reason)
}
