import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type pg from 'pg'
import type { AnyRow, TableLayout } from '../columns.ts'

const CHUNK_ROWS = 500

/** New rows of one table, named as SQL does, by COPY. The rows must not be there; an error is the database's own. */
export const copyIn = (
  db: pg.ClientBase,
  table: string,
  layout: TableLayout,
  rows: readonly AnyRow[],
): Promise<void> => (rows.length > 0 ? copyLines(db, table, layout, linesOf(layout, rows)) : Promise.resolve())

/** As `copyIn`, of rows as `lineOf` makes them. */
export async function copyLines(
  db: pg.ClientBase,
  table: string,
  layout: TableLayout,
  lines: Iterable<Buffer>,
): Promise<void> {
  const columns = layout.columns.map(({ name }) => `"${name}"`).join()
  const text = `copy ${table} (${columns}) from stdin`
  await new Promise<void>((resolve, reject) => {
    db.query(new CopyIn(text, lines, resolve, reject))
  })
}

function* linesOf(layout: TableLayout, rows: readonly AnyRow[]): Generator<Buffer> {
  for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
    const lines = rows.slice(start, start + CHUNK_ROWS).map((row) => lineOf(layout, row))
    yield Buffer.from(lines.join(''), 'utf8')
  }
}

/** A row as COPY takes it. */
export function lineOf({ columns }: TableLayout, row: AnyRow): string {
  const values = columns.map(({ name, toCopy }) => {
    const value = row[name]
    return value === null ? '\\N' : toCopy(value)
  })
  return `${values.join('\t')}\n`
}

type Connection = {
  readonly stream: Writable
  sendCopyFromChunk(chunk: Buffer): void
  sendCopyFail(message: string): void
  endCopyFrom(): void
}

/** The client's protocol for a query of one's own. */
class CopyIn {
  private failed: Error | undefined

  constructor(
    private readonly text: string,
    private readonly lines: Iterable<Buffer>,
    private readonly resolve: () => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(connection: { query(text: string): void }): void {
    connection.query(this.text)
  }

  handleCopyInResponse(connection: Connection): void {
    this.send(connection).catch((error: Error) => {
      this.failed = error
      connection.sendCopyFail('the rows could not be sent')
    })
  }

  private async send(connection: Connection): Promise<void> {
    for (const lines of this.lines) {
      if (this.failed) return
      connection.sendCopyFromChunk(lines)
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
    }
    connection.endCopyFrom()
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.failed ??= error
    this.reject(this.failed)
  }

  handleReadyForQuery(): void {
    if (this.failed) this.reject(this.failed)
    else this.resolve()
  }
}
