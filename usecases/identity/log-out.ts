import type { MemberId, SessionId } from '../../domain/shared/ids.ts'
import { revokeOwing } from '../owed.ts'
import type { Ports } from '../ports.ts'

type Leaving = {
  readonly viewer: { member: MemberId; session: SessionId } | null
  /** Of a registration that is not finished. */
  readonly signupToken: string | null
}

/** Ends the caller's session and their unfinished registration; quiet when there is none any more (api-contract N2). */
export async function logOut(ports: Ports, { viewer, signupToken }: Leaving): Promise<void> {
  if (signupToken) await ports.proofs.lapse(signupToken)
  if (!viewer) return
  const { member, session } = viewer
  await revokeOwing(ports, member, async (rows) => ((await rows.revoke(member, session)) ? [session] : []))
}
