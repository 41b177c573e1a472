/** Everything the store needs in its database. `"C"` keeps stream names comparing byte by byte. */
export const CREATE_TABLE = `
  create schema if not exists log;
  create table if not exists log.event (
    position bigint primary key,
    stream text collate "C" not null,
    revision bigint not null,
    id uuid not null,
    type text not null,
    json boolean not null,
    created bigint not null,
    data bytea not null,
    metadata bytea not null,
    unique (stream, revision)
  )`

const COLUMNS = 'position, stream, revision, id, type, json, created, data, metadata'
export const COLUMN_COUNT = 9

const inserts = new Map<number, string>()

/** An insert of `rows` events with numbered parameters, column by column. */
export function insertSql(rows: number): string {
  let sql = inserts.get(rows)
  if (!sql) {
    const tuple = (row: number) => Array.from({ length: COLUMN_COUNT }, (_, at) => `$${row * COLUMN_COUNT + at + 1}`)
    const tuples = Array.from({ length: rows }, (_, row) => `(${tuple(row).join(',')})`)
    sql = `insert into log.event (${COLUMNS}) values ${tuples.join(',')}`
    inserts.set(rows, sql)
  }
  return sql
}

const lastOf = (stream: string) =>
  `(select revision from log.event where stream = ${stream} order by revision desc limit 1)`
/** Metadata that are not marked as JSON are empty. */
const metadataOf = (stream: string) =>
  `(select case when json then data else '' end from log.event where stream = '$$' || ${stream} order by revision desc limit 1)`

export const SUMMARISE = `
  select ${lastOf('name')} as last, ${metadataOf('name')} as metadata
  from unnest($1::text[]) with ordinality as asked (name, place) order by place`

export const NEWEST_POSITIONS = `
  select id, stream, revision, position from log.event where position > $1 order by position`

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

export const READ_STREAM = {
  forwards: pageSql('stream = $4 and ', 'revision', false),
  backwards: pageSql('stream = $4 and ', 'revision', true),
}
export const READ_ALL = { forwards: pageSql('', 'position', false), backwards: pageSql('', 'position', true) }
