import pg from 'pg'
import { type Position, START } from '../domain/shared/recorded.ts'
import { copyOut, within } from './chain/table-source.ts'
import type { StoredEvent } from './events.ts'
import { fromPosition, toPosition } from './position.ts'

/** Events of the wanted types after a place up to `to`; `passed` counts the places that lie behind with them. */
export type TablePage = { readonly events: readonly StoredEvent[]; readonly to: Position; readonly passed: number }

/**
 * Which streams a reader takes when several share a log: those whose id, the part after the first `-`, falls to `index` of
 * `of`; events of the types in `everywhere` go to all of them.
 */
export type TableShare = { readonly index: number; readonly of: number; readonly everywhere: readonly string[] }

export type TableSpan = {
  readonly after: Position
  readonly to: Position
  readonly types: readonly string[]
  readonly share?: TableShare
  readonly signal?: AbortSignal
}

/** Places of the log in one question. */
const PAGE = 10_000

const bigint = (bytes: Buffer, at: number): number => bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4)
const numberOf = (position: Position): number => Number(fromPosition(position).commit)
const placeOf = (position: number): Position => {
  const place = BigInt(position)
  return toPosition({ commit: place, prepare: place })
}

/**
 * The embedded log's own table, in log order and page by page, several times as fast as through the client: only what the
 * reader handles travels. `to` must be a place that the log answered, since what is still being written has gaps before it.
 */
export async function* tablePages(database: pg.ClientConfig, span: TableSpan): AsyncGenerator<TablePage> {
  const read = (after: number) => {
    const page = pageAfter(database, span, after)
    page.catch(() => undefined)
    return page
  }
  const end = numberOf(span.to)
  let after = span.after === START ? -1 : numberOf(span.after)
  let next = after < end ? read(after) : undefined
  while (next) {
    const page: TablePage = await next
    span.signal?.throwIfAborted()
    after = numberOf(page.to)
    next = after < end ? read(after) : undefined
    yield page
  }
}

async function pageAfter(database: pg.ClientConfig, span: TableSpan, after: number): Promise<TablePage> {
  const to = Math.min(numberOf(span.to), after + PAGE)
  const events: StoredEvent[] = []
  const text = copySql(span, after, to)
  await within(database, (client) => copyOut(client, text, (row) => void events.push(eventOf(row))), span.signal)
  return { events, to: placeOf(to), passed: to - Math.max(after, 0) }
}

function copySql({ types, share }: TableSpan, after: number, to: number): string {
  const listed = (names: readonly string[]) => names.map(pg.escapeLiteral).join() || 'null'
  const mine = share
    ? `and (type in (${listed(share.everywhere)})
        or mod(abs(hashtext(substr(stream, strpos(stream, '-') + 1))::bigint), ${share.of}) = ${share.index})`
    : ''
  return `copy (
    select position, created, revision, stream, id, type, data, metadata from log.event
    where position > ${after} and position <= ${to} and json and type in (${listed(types)}) ${mine} order by position
  ) to stdout (format binary)`
}

/** A row of the copy: a count of fields, then each with its length in front. */
function eventOf(row: Buffer): StoredEvent {
  const place = placeOf(bigint(row, 6))
  const recordedAt = new Date(bigint(row, 18) / 1000)
  const revision = bigint(row, 30)
  let at = 38
  const text = (encoding: BufferEncoding = 'utf8'): string => {
    const start = at + 4
    at = start + row.readInt32BE(at)
    return row.toString(encoding, start, at)
  }
  const stream = text()
  const id = uuidOf(text('hex'))
  const type = text('latin1')
  const data = JSON.parse(text()) as Record<string, unknown>
  const metadata = JSON.parse(text() || '{}') as Record<string, unknown>
  return { id, type, data, metadata, stream, revision, position: place, recordedAt }
}

const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
