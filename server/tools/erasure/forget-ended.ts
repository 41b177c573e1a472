import { memberDecider } from '../../../domain/identity/member.ts'
import { MemberId } from '../../../domain/shared/ids.ts'
import { UndecodableEvent } from '../../../eventstore/codec.ts'
import type { Core } from '../../core.ts'
import { listWithoutAccount } from './without-account.ts'

const WITH_KEY = `select subject as member from app.subject_key where wrapped <> ''`

/**
 * Before a process reads the log from somewhere in it: the keys of those whose account has ended and whose key is still there. It does
 * not come to the end of these accounts any more, and would read what was written behind it. Whoever is signing up keeps theirs.
 */
export async function forgetEnded({ storage, keys, loadState }: Pick<Core, 'storage' | 'keys' | 'loadState'>) {
  for (const subject of await listWithoutAccount(storage.pool, WITH_KEY)) {
    const member = MemberId.safeParse(subject).data
    if (member && (await isGone(loadState, member))) keys.forget(member)
  }
}

async function isGone(loadState: Core['loadState'], member: MemberId): Promise<boolean> {
  try {
    return (await loadState(memberDecider, member)).status === 'gone'
  } catch (error) {
    if (!(error instanceof UndecodableEvent)) throw error
    return false
  }
}
