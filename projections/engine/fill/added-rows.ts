import type { Change } from '../../projection.ts'
import { type AnyRow, normalRow, type TableLayout } from '../columns.ts'
import { lineOf } from './copy-rows.ts'

const CHUNK_LINES = 500

/** What events add to a table that is appended to, as COPY takes it: text, since nobody looks at these rows again. */
export class AddedRows {
  private chunks: Buffer[] = []
  private lines: string[] = []
  /** What waits to be written takes so many. */
  bytes = 0

  constructor(readonly layout: TableLayout) {}

  /**
   * Throws for a change that is no `put`, and MisfitRow where the row does not fit its columns. One that there is already
   * fails the copy.
   */
  add(change: Change): void {
    const row = 'key' in change && change.whole ? change.fold(undefined) : undefined
    if (!row) throw new Error(`${this.layout.name} is appended to`)
    const line = lineOf(this.layout, normalRow(this.layout, row as AnyRow))
    this.lines.push(line)
    this.bytes += Buffer.byteLength(line)
    if (this.lines.length >= CHUNK_LINES) this.pack()
  }

  private pack(): void {
    this.chunks.push(Buffer.from(this.lines.join(''), 'utf8'))
    this.lines = []
  }

  /** What was added since the last time. */
  take(): Buffer[] {
    this.pack()
    const { chunks } = this
    this.chunks = []
    this.bytes = 0
    return chunks
  }
}
