const COLUMNS = 'position, stream, revision, id, type, json, created, data, metadata'

export type BothWays = { readonly forwards: string; readonly backwards: string }

/** What a page begins with is $1, its most events $2, its bytes $3; `where` is what else limits it. */
export const pagesOf = (where: string, column: string): BothWays => ({
  forwards: pageSql(where, column, false),
  backwards: pageSql(where, column, true),
})

/** Sizes are summed without reading the payloads; a page always holds at least its first event. */
function pageSql(where: string, column: string, backwards: boolean): string {
  const order = `order by ${column} ${backwards ? 'desc' : 'asc'}`
  const from = `${column} ${backwards ? '<=' : '>='} $1`
  return `
    select ${COLUMNS} from (
      select *, octet_length(data) + octet_length(metadata) as size,
        sum(octet_length(data) + octet_length(metadata)) over (${order} rows unbounded preceding) as total
      from (select * from log.event where ${where}${from} ${order} limit $2) as candidates
    ) as measured
    where total - size < $3 ${order}`
}
