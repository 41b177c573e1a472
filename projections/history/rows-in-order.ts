import { type Position, START } from '../../domain/shared/recorded.ts'
import type { HistoryRow } from './table.ts'

export type RowPages = AsyncGenerator<readonly HistoryRow[]>

/** All rows of a question, a page at a time; `list` answers those after a position, oldest first. */
export async function* pagesOf(list: (after: Position) => Promise<readonly HistoryRow[]>): RowPages {
  for (let after = START; ; ) {
    const rows = await list(after)
    if (rows.length === 0) return
    yield rows
    after = rows[rows.length - 1]!.position as Position
  }
}

/** The rows of several questions in the order of the log, each event once, in pages of about this size. */
export async function* inOrder(sources: readonly RowPages[], size: number): RowPages {
  const heads = await Promise.all(sources.map(headOf))
  let page: HistoryRow[] = []
  let last = START as string
  for (;;) {
    const [next] = heads
      .filter(({ row }) => row !== undefined)
      .sort((a, b) => (a.row!.position < b.row!.position ? -1 : 1))
    if (!next) break
    const row = next.row!
    if (row.position > last) page.push(row)
    last = row.position
    await next.move()
    if (page.length >= size) {
      yield page
      page = []
    }
  }
  if (page.length > 0) yield page
}

type Head = { row: HistoryRow | undefined; move(): Promise<void> }

/** The first row of a question that was not taken yet. */
async function headOf(pages: RowPages): Promise<Head> {
  let rows: readonly HistoryRow[] = []
  let at = 0
  const head: Head = {
    row: undefined,
    async move() {
      at++
      if (at >= rows.length) {
        const { value, done } = await pages.next()
        ;[rows, at] = [done ? [] : value, 0]
      }
      head.row = rows[at]
    },
  }
  await head.move()
  return head
}
