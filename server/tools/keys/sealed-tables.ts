import pg from 'pg'
import type { MasterKey } from '../../../domain/shared/master-key.ts'
import { type Box, createBox } from '../../../services/secrets.ts'

/** Columns of schema `app` that a box seals. */
type SealedTable = {
  readonly table: string
  /** The primary key; text or bytes. */
  readonly id: string
  readonly purpose: string
  /** By column the context that its values are bound to. */
  readonly columns: Readonly<Record<string, (id: Id) => string>>
  /** A row under another key is deleted in place of being sealed again: it holds a hash that cannot be made anew. */
  readonly dropped?: true
}
type Id = string | Buffer

const own = (id: Id): string => (typeof id === 'string' ? id : id.toString('hex'))

/** Everything in rows that the master key seals but the chain; `tests/architecture` compares it with the sources. */
export const SEALED_TABLES: readonly SealedTable[] = [
  { table: 'kept_key', id: 'purpose', purpose: 'kept-keys', columns: { wrapped: own } },
  { table: 'subject_key', id: 'subject', purpose: 'subject-keys', columns: { wrapped: own } },
  {
    table: 'signup_proof',
    id: 'id',
    purpose: 'signup-proofs',
    columns: { email: (id) => `email ${own(id)}`, draft: (id) => `draft ${own(id)}` },
  },
  { table: 'position', id: 'member', purpose: 'positions', columns: { sealed: own } },
  { table: 'idempotent_answer', id: 'id', purpose: 'idempotency', columns: { sealed: own }, dropped: true },
]

/** What became of values in one batch; `unreadable` are named by table and row. */
export type Batch = { readonly seen: number; readonly sealed: number; readonly unreadable: readonly string[] }

/** Brings a table under the first key, so many rows in one transaction, and reports each batch that is stored. */
export async function* resealTable(
  pool: pg.Pool,
  masterKey: MasterKey,
  table: SealedTable,
  batch: number,
): AsyncGenerator<Batch> {
  const box = createBox(masterKey, table.purpose)
  let after: Id | null = null
  do {
    const done: Stored = await resealRows(pool, box, table, { after, batch })
    after = done.last
    yield done
  } while (after !== null)
}

type Stored = Batch & { readonly last: Id | null }
type Page = { readonly after: Id | null; readonly batch: number }

/** The rows are locked meanwhile: whoever erases one waits, and erases what was written. */
async function resealRows(pool: pg.Pool, box: Box, of: SealedTable, { after, batch }: Page): Promise<Stored> {
  const [table, id] = [`app.${pg.escapeIdentifier(of.table)}`, pg.escapeIdentifier(of.id)]
  const columns = Object.keys(of.columns)
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query<Record<string, Id | null>>(
      `select ${[id, ...columns].join()} from ${table} ${after === null ? '' : `where ${id} > $2`}
       order by ${id} limit $1 for update`,
      after === null ? [batch] : [batch, after],
    )
    const unreadable: string[] = []
    let sealed = 0
    for (const row of rows) {
      const rowId = row[of.id]!
      const change = resealRow(box, of, row)
      if (change === 'unreadable') unreadable.push(`${of.table} ${own(rowId)}`)
      if (change === 'unreadable' || change.length === 0) continue
      sealed++
      if (of.dropped) await client.query(`delete from ${table} where ${id} = $1`, [rowId])
      else
        await client.query(
          `update ${table} set ${change.map(([column], index) => `${column} = $${index + 2}`).join()} where ${id} = $1`,
          [rowId, ...change.map(([, value]) => value)],
        )
    }
    await client.query('commit')
    const last = rows.length < batch ? null : rows[rows.length - 1]![of.id]!
    return { seen: rows.length, sealed, unreadable, last }
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}

/** The columns that change. An empty value is that of a destroyed key. */
function resealRow(
  box: Box,
  { id, columns }: SealedTable,
  row: Readonly<Record<string, Id | null>>,
): [string, Buffer][] | 'unreadable' {
  const change: [string, Buffer][] = []
  for (const [column, contextOf] of Object.entries(columns)) {
    const value = row[column]
    if (!Buffer.isBuffer(value) || value.length === 0) continue
    try {
      const again = box.reseal(contextOf(row[id]!), value)
      if (again) change.push([column, again])
    } catch {
      return 'unreadable'
    }
  }
  return change
}
