/** Columns that may name an erased member, by `table.column`, and why. */
export const OUTLIVES_ERASURE: Readonly<Record<string, string>> = {
  'conversation.other': 'the room of whoever is left stays readable, as "Deleted member" (ruling R26)',
  'message.from_member': 'the row stays without its words, so that the others keep their place in the room',
  'history.member': 'auditors page through what happened; it holds ids alone',
  'report.reporter': 'a case outlives the members in it (ruling R26)',
  'report.target': 'a case outlives the members in it (ruling R26)',
}

/** Where rows by table name an erased member and may not, as `table.column`. */
export function namesErased(rows: Readonly<Record<string, readonly object[]>>, gone: string): string[] {
  const found = Object.entries(rows).flatMap(([table, all]) =>
    all.flatMap((row) =>
      Object.entries(row).flatMap(([column, value]) => (value === gone ? `${table}.${column}` : [])),
    ),
  )
  return [...new Set(found)].filter((name) => !(name in OUTLIVES_ERASURE)).sort()
}
