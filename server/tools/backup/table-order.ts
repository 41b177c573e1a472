import type pg from 'pg'

type Named = { readonly name: string }

const REFERENCES = `select c.relname as name, f.relname as refers_to from pg_constraint r
  join pg_class c on c.oid = r.conrelid join pg_class f on f.oid = r.confrelid
  where r.contype = 'f' and r.connamespace = 'app'::regnamespace and r.conrelid <> r.confrelid`

/** Tables of schema `app`, each behind those that its rows refer to, and otherwise as they come. */
export async function referredFirst<Table extends Named>(
  client: pg.ClientBase,
  tables: readonly Table[],
): Promise<readonly Table[]> {
  const { rows } = await client.query<{ name: string; refers_to: string }>(REFERENCES)
  const ordered = new Set<Table>()
  const seen = new Set<Table>()
  const add = (table: Table) => {
    if (seen.has(table)) return
    seen.add(table)
    const names = rows.filter(({ name }) => name === table.name).map(({ refers_to }) => refers_to)
    for (const other of tables) if (names.includes(other.name)) add(other)
    ordered.add(table)
  }
  for (const table of tables) add(table)
  return [...ordered]
}
