import type { MemberId } from '../../domain/shared/ids.ts'
import type { Ports } from '../ports.ts'

type Reset = { readonly member: MemberId; readonly emailKey: string; readonly passwordHash: string }
/** `device` is for the device cookie of a browser that is known. */
export type AfterReset = { readonly device?: string }

/**
 * What a new password by mail brings: the failures of others are forgotten, and the browser that showed what the mail has is
 * known, so that they cannot shut it out (security A7). Without `knows` it stays a stranger.
 */
export async function afterReset(ports: Ports, { member, ...reset }: Reset, knows: boolean): Promise<AfterReset> {
  await ports.loginGuard.clear(reset.emailKey)
  await ports.limits.reset('SIGN_IN', member)
  return knows ? ports.loginGuard.succeeded({ ...reset, device: await ports.device?.() }) : {}
}
