import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type pg from 'pg'
import type { AnyRow, TableLayout } from '../columns.ts'

const CHUNK_ROWS = 500

/** New rows of one table, named as SQL does, by COPY. The rows must not be there; an error is the database's own. */
export async function copyIn(
  db: pg.ClientBase,
  table: string,
  layout: TableLayout,
  rows: readonly AnyRow[],
): Promise<void> {
  if (rows.length === 0) return
  const columns = layout.columns.map(({ name }) => `"${name}"`).join()
  const text = `copy ${table} (${columns}) from stdin`
  await new Promise<void>((resolve, reject) => {
    db.query(new CopyIn(text, () => linesOf(layout, rows), resolve, reject))
  })
}

function* linesOf(layout: TableLayout, rows: readonly AnyRow[]): Generator<string> {
  for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
    let lines = ''
    for (const row of rows.slice(start, start + CHUNK_ROWS)) lines += `${lineOf(layout, row)}\n`
    yield lines
  }
}

function lineOf({ columns }: TableLayout, row: AnyRow): string {
  let line = ''
  for (const [at, { name, toCopy }] of columns.entries()) {
    const value = row[name]
    line += `${at > 0 ? '\t' : ''}${value === null ? '\\N' : toCopy(value)}`
  }
  return line
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
    private readonly lines: () => Iterable<string>,
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
    for (const lines of this.lines()) {
      if (this.failed) return
      connection.sendCopyFromChunk(Buffer.from(lines, 'utf8'))
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
