import type { AllStreamRecordedEvent } from '@eventstore/db-client'
import { type Position, START } from '../domain/shared/recorded.ts'
import type { StoredEvent } from './events.ts'
import { toPosition } from './position.ts'

/** Well within the time of an answer, also where the log is busy. */
const STREAM_PAGE = 2_000

const PAGE = 500
const FEW = 20
/** Characters of the data of a page: events of any size are read within the time of an answer, and little of them at once. */
const PAGE_WEIGHT = 8 * 1024 * 1024

type Weighed = { readonly data: unknown }

/** The characters in whatever an event has; all that is heavy is text. */
export function weightOf(data: unknown): number {
  if (typeof data === 'string') return data.length
  if (typeof data !== 'object' || data === null) return 0
  let weight = 0
  for (const value of Object.values(data)) weight += weightOf(value)
  return weight
}

/** Whether a page ended before what was asked of it did: by its count, or by its weight. */
export function isFull(page: readonly Weighed[], limit: number): boolean {
  return page.length >= limit || page.reduce((sum, { data }) => sum + weightOf(data), 0) >= PAGE_WEIGHT
}

/** For each event of a page in turn, whether there is room for another one. */
export function roomOfPage(): (event: Weighed) => boolean {
  let weight = 0
  return ({ data }) => {
    weight += weightOf(data)
    return weight < PAGE_WEIGHT
  }
}

/** A page of the log that ends before a position, or at its end; newest first, and empty before its first event. */
type PageBefore = (before: Position | undefined, limit: number) => Promise<AllStreamRecordedEvent[]>

type ReadPage = (from: number, limit: number) => Promise<StoredEvent[]>
/** `most`: events of one page. `limit`: of all of them. */
type Paging = { readonly from: number; readonly limit?: number | undefined; readonly most?: number }

/** Each page is a question of its own: no stream is too long for the time that an answer may take, or for memory. */
export async function* pagesOf(
  page: ReadPage,
  { from, limit = Number.POSITIVE_INFINITY, most = STREAM_PAGE }: Paging,
): AsyncGenerator<StoredEvent[]> {
  for (let [next, left] = [from, limit]; left > 0; ) {
    const asked = Math.min(most, left)
    const read = await page(next, asked)
    if (read.length > 0) yield read
    if (!isFull(read, asked)) return
    next = read[read.length - 1]!.revision + 1
    left -= read.length
  }
}

/** All of them at once. */
export async function inPages(page: ReadPage, paging: Paging): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for await (const read of pagesOf(page, paging)) for (const event of read) events.push(event)
  return events
}

/** The position of the last event that is not the log's own; a quiet night may end in any number of those. */
export async function lastOfOthers(page: PageBefore): Promise<Position> {
  let before: Position | undefined
  // Nearly always it is the very last, or just before what a tool noted.
  for (let limit = 1; ; limit = limit === 1 ? FEW : PAGE) {
    const older = await page(before, limit)
    if (older.length === 0) return START
    const last = older.find(({ type }) => !type.startsWith('$'))
    if (last) return toPosition(last.position)
    before = toPosition(older[older.length - 1]!.position)
  }
}

/** As `Log` has it. */
export async function earlierPosition(page: PageBefore, events: number, since: Date): Promise<Position> {
  let before: Position | undefined
  for (let seen = 0; ; ) {
    const older = await page(before, PAGE)
    if (older.length === 0) return START
    for (const { created, position } of older) {
      if (++seen > events && created < since) return toPosition(position)
    }
    before = toPosition(older[older.length - 1]!.position)
  }
}
