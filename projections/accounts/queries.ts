import type { MemberId } from '../../domain/shared/ids.ts'
import type { ReadDb } from '../projection.ts'
import type { AccountRow } from './table.ts'

export type AccountState = Pick<AccountRow, 'status' | 'started' | 'demo'>

/** The state of the account; null for one that never was or is erased. `started: false` is onboarding. */
export async function findAccountState(db: ReadDb, member: MemberId): Promise<AccountState | null> {
  const row = await db
    .selectFrom('account')
    .select(['status', 'started', 'demo'])
    .where('member', '=', member)
    .executeTakeFirst()
  return row ?? null
}

/** Accounts that exist, by status; demo members apart. */
export async function countAccounts(db: ReadDb): Promise<{ members: number; demo: number }> {
  const row = await db
    .selectFrom('account')
    .select((eb) => [
      eb.fn.countAll<string>().filterWhere('demo', '=', false).as('members'),
      eb.fn.countAll<string>().filterWhere('demo', '=', true).as('demo'),
    ])
    .executeTakeFirstOrThrow()
  return { members: Number(row.members), demo: Number(row.demo) }
}
