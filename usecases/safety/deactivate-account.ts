import type { MemberId } from '../../domain/shared/ids.ts'
import { type Moderated, type Operating, shutAccount } from './moderating.ts'

/** Hides a member and signs them out (ruling R25); they may come back by themselves. */
export function deactivateAccount(context: Operating, member: MemberId): Promise<Moderated> {
  return shutAccount(context, { type: 'Deactivate', member, at: context.now() })
}
