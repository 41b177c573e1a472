import type pg from 'pg'
import { onOwnConnection } from '../../../projections/engine/transaction.ts'

/**
 * Of whom `holders` has a row (a query for `member`) though no read model has an account for them: few, and most of them signing up. Nobody
 * before there is a read model of accounts; cases too before there is one of reports, which no start waits for.
 */
export function listWithoutAccount(pool: pg.Pool, holders: string): Promise<string[]> {
  return onOwnConnection(pool, async (db) => {
    const [accounts, reports] = [await isThere(db, 'read.account'), await isThere(db, 'read.report')]
    if (!accounts) return []
    const noCase = reports ? 'and not exists (select from read.report where report.id = holder.member)' : ''
    const { rows } = await db.query<{ member: string }>(
      `select member from (${holders}) as holder
       where not exists (select from read.account where account.member = holder.member) ${noCase}`,
    )
    return rows.map(({ member }) => member)
  })
}

async function isThere(db: pg.PoolClient, table: string): Promise<boolean> {
  const { rows } = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table])
  return rows[0]?.there === true
}
