import pg from 'pg'
import { type Position, START } from '../domain/shared/recorded.ts'
import { connected, copyTuples, whileLaid } from './chain/table-source.ts'
import type { StoredEvent } from './events.ts'
import { fromPosition, positionOf } from './position.ts'
import type { HeardConfig } from './postgres/heard-client.ts'

/** Events after a position up to `to`, without the log's own; `passed` counts the positions that lie behind with them. */
export type LogPage = { readonly events: readonly StoredEvent[]; readonly to: Position; readonly passed: number }

export type LogSpan = {
  readonly after: Position
  readonly to: Position
  /** Types that the reader does not take. */
  readonly without: readonly string[]
  readonly signal?: AbortSignal
}

/** Positions of the log in one query. */
const SPAN = 100_000
/** Events in one page: few enough that they are let go of before the collector has to move them. */
const PAGE = 250
/** Pages that wait to be taken before the database does. */
const AHEAD = 2

const bigint = (bytes: Buffer, at: number): number => bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4)
const numberOf = (position: Position): number => Number(fromPosition(position).commit)

/**
 * The embedded log's own table, in log order and page by page, several times as fast as through the client: what
 * the reader does not take does not travel. `to` must be a position that the log answered, since what is still being written has gaps
 * before it.
 */
export async function* tablePages(database: HeardConfig, span: LogSpan): AsyncGenerator<LogPage> {
  const end = numberOf(span.to)
  let after = span.after === START ? -1 : numberOf(span.after)
  if (after >= end) return
  const client = await connected(database, span.signal)
  const cut = () => void client.end().catch(() => undefined)
  span.signal?.addEventListener('abort', cut, { once: true })
  try {
    while (after < end) {
      const to = Math.min(end, after + SPAN)
      for await (const events of eventsOf(client, copySql(span, after, to))) {
        span.signal?.throwIfAborted()
        const page = pageOf(events, after, events.length < PAGE ? to : undefined)
        after = numberOf(page.to)
        yield page
      }
    }
  } catch (error) {
    throw span.signal?.aborted ? span.signal.reason : error
  } finally {
    span.signal?.removeEventListener('abort', cut)
    await client.end()
  }
}

function pageOf(events: readonly StoredEvent[], after: number, end: number | undefined): LogPage {
  const to = end === undefined ? events[events.length - 1]!.position : positionOf(end)
  return { events, to, passed: numberOf(to) - Math.max(after, 0) }
}

/** Full pages, and one that is not at the end; the database waits for a reader who is slow. */
async function* eventsOf(client: pg.Client, text: string): AsyncGenerator<StoredEvent[]> {
  const full: StoredEvent[][] = []
  let page: StoredEvent[] = []
  let [wake, goOn] = [() => {}, () => {}]
  let wait: Promise<void> | undefined
  const take = (row: Buffer): Promise<void> | undefined => {
    page.push(eventOf(row))
    if (page.length < PAGE) return undefined
    full.push(page)
    page = []
    wake()
    if (full.length < AHEAD) return undefined
    wait ??= new Promise((resolve) => {
      goOn = resolve
    })
    return wait
  }
  let ended = false
  const copy = whileLaid(client, () => copyTuples(client, text, take)).finally(() => {
    ended = true
    wake()
  })
  copy.catch(() => undefined)
  for (;;) {
    const next = full.shift()
    if (next) {
      wait = undefined
      goOn()
      yield next
    } else if (ended) break
    else
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
  await copy
  yield page
}

function copySql({ without }: LogSpan, after: number, to: number): string {
  const left = without.map(pg.escapeLiteral).join()
  return `copy (
    select position, created, revision, stream, id, type, data, metadata from log.event
    where position > ${after} and position <= ${to} and json and left(type, 1) <> '$'
      and type <> all (array[${left}]::text[]) order by position
  ) to stdout (format binary)`
}

/** A row of the copy: a count of fields, then each with its length in front. */
function eventOf(row: Buffer): StoredEvent {
  const stream = 42
  const id = stream + row.readInt32BE(38) + 4
  const type = id + row.readInt32BE(id - 4) + 4
  const data = type + row.readInt32BE(type - 4) + 4
  const metadata = data + row.readInt32BE(data - 4) + 4
  return {
    id: uuidOf(row.toString('hex', id, type - 4)),
    type: row.toString('latin1', type, data - 4),
    data: JSON.parse(row.toString('utf8', data, metadata - 4)) as Record<string, unknown>,
    metadata: JSON.parse(row.toString('utf8', metadata) || '{}') as Record<string, unknown>,
    stream: row.toString('utf8', stream, id - 4),
    revision: bigint(row, 30),
    position: positionOf(bigint(row, 6)),
    recordedAt: new Date(bigint(row, 18) / 1000),
  }
}

const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
