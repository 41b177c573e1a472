import { memberDecider } from '../../../domain/identity/member.ts'
import { MemberId } from '../../../domain/shared/ids.ts'
import { UndecodableEvent } from '../../../eventstore/codec.ts'
import { onOwnConnection } from '../../../projections/engine/transaction.ts'
import type { Core } from '../../core.ts'

/**
 * Before a process reads the log from somewhere in it: the keys of those whose account has ended and whose key is still there. It does
 * not come to the end of these accounts any more, and would read what was written behind it. Whoever is signing up keeps theirs.
 */
export async function forgetEnded({ storage, keys, loadState }: Pick<Core, 'storage' | 'keys' | 'loadState'>) {
  for (const subject of await listWithoutAccount(storage.pool)) {
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

/** Few, and most of them signing up. Nobody before there is a read model of accounts. */
async function listWithoutAccount(pool: Core['storage']['pool']): Promise<string[]> {
  return onOwnConnection(pool, async (db) => {
    const {
      rows: [known],
    } = await db.query<{ isThere: boolean }>(
      `select to_regclass('read.account') is not null and to_regclass('read.report') is not null as "isThere"`,
    )
    if (!known?.isThere) return []
    const { rows } = await db.query<{ subject: string }>(
      `select subject from app.subject_key where wrapped <> ''
       and not exists (select from read.account where account.member = subject_key.subject)
       and not exists (select from read.report where report.id = subject_key.subject)`,
    )
    return rows.map(({ subject }) => subject)
  })
}
