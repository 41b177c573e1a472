import type pg from 'pg'
import type { Position } from '../../../domain/shared/recorded.ts'
import type { AnyTable, Change, Projection } from '../../projection.ts'
import { type Anchor, anchorOf } from '../anchors.ts'
import { guarded, readable } from '../apply.ts'
import { type CheckpointMove, schemaOf, type Target } from '../checkpoints.ts'
import { layoutOf } from '../columns.ts'
import type { Decoded } from '../decoding.ts'
import { clockAfter } from '../expiry/clock.ts'
import { changesOf, concerns, foldChanges, setClock, wantedBy } from '../fold.ts'
import { RowSet } from '../row-set.ts'
import { fillRows, loadRows, tableIn } from '../rows.ts'
import type { IndexesFor } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import type { Turns } from '../turns.ts'
import { AddedRows } from './added-rows.ts'
import { copyLines } from './copy-rows.ts'

/** One read model that goes with a pass, from where its target stands to `head`. */
export type ModelToFill = {
  readonly pool: pg.Pool
  readonly projection: Projection
  readonly target: Target
  /** The tables hold nothing yet, so no row has to be looked for. */
  readonly empty: boolean
  readonly head: Position
  /** Ends with the right to fill it: no page is taken from then on. */
  readonly signal: AbortSignal
  /** Moves the record of how far the rows are, in their transaction. */
  readonly note: (db: pg.ClientBase, move: Pick<CheckpointMove, 'to' | 'passed' | 'clock' | 'anchor'>) => Promise<void>
  readonly onPage: (passed: number, to: Position) => void
  /** Makes the indexes that some look-ups need. */
  readonly index: (only: IndexesFor) => Promise<void>
}

/** Decoded events of the log up to a position; `passed` counts what of the log lies behind with them. */
export type DecodedPage = { readonly events: readonly Decoded[]; readonly to: Position; readonly passed: number }

/** A table's rows in memory, about how many bytes they take, and what lets them go with the next write. */
export type InMemory = { readonly bytes: number; readonly letGo: () => void }

/**
 * The rows of one read model while a pass fills them. What changed is written by COPY beside the folding: the rows that are on
 * their way are no more changed, since folds make new ones.
 */
export class FillingModel {
  private readonly sets: Map<AnyTable, RowSet>
  private readonly added: Map<AnyTable, AddedRows>
  private readonly leaving = new Set<AnyTable>()
  /** Tables whose rows were looked at by a fold; the rows of others leave memory with each write. */
  private readonly lookedAt = new Set<AnyTable>()
  private readonly indexed = new Set<string>()
  private position: Position
  private clock: Date | null
  private passed = 0
  private anchor: Anchor | undefined
  private writing: Promise<void> = Promise.resolve()
  /** Bytes of rows that were let go of and are not in the database yet. */
  onTheirWay = 0
  private failure: { readonly error: unknown } | undefined
  /** A fold has failed between the changes of a page. */
  private torn = false

  constructor(
    private readonly model: ModelToFill,
    private readonly turns: Turns,
  ) {
    this.position = model.target.position
    this.clock = model.target.clock
    const { tables } = model.projection
    const [appended, folded] = [tables.filter((one) => one.appended), tables.filter((one) => !one.appended)]
    this.sets = new Map(folded.map((table) => [table, new RowSet(layoutOf(table), model.empty)]))
    this.added = new Map(appended.map((table) => [table, new AddedRows(layoutOf(table))]))
  }

  get ended(): boolean {
    return this.position >= this.model.head
  }

  /** No row has to be looked for: those that folds look at are all in memory. */
  get whole(): boolean {
    return [...this.sets].every(([table, set]) => set.whole || !this.lookedAt.has(table))
  }

  get inMemory(): InMemory[] {
    return [...this.sets].map(([table, { bytes }]) => ({ bytes, letGo: () => void this.leaving.add(table) }))
  }

  /** About how many bytes are folded. */
  get bytes(): number {
    const folded = this.inMemory.reduce((sum, { bytes }) => sum + bytes, 0)
    return [...this.added.values()].reduce((sum, { bytes }) => sum + bytes, folded)
  }

  /** Folds what concerns it of a page. Throws what is wrong with an event of it, or with a write before. */
  async take({ events, to, passed }: DecodedPage): Promise<void> {
    if (this.failure) throw this.failure.error
    this.model.signal.throwIfAborted()
    if (to <= this.position) return
    const { projection, head, onPage } = this.model
    const own = events.filter(
      ({ stored }) => stored.position > this.position && stored.position <= head && concerns(projection, stored),
    )
    const last = own[own.length - 1]
    if (last) {
      const readableEvents = guarded(() => own.map(readable))
      const changes = guarded(() => changesOf(projection, readableEvents, this.clock))
      const folded = this.added.size > 0 ? changes.filter(({ table }) => !this.added.has(table)) : changes
      for (const change of folded) if ('key' in change && !change.whole) this.lookedAt.add(change.table)
      await this.load(folded)
      await this.index(folded)
      // From here on without a pause: what a write has is of the pages before its position, and of no other.
      this.torn = true
      guarded(() => {
        for (const change of changes) this.added.get(change.table)?.add(change)
        foldChanges(folded, this.sets)
      })
      this.torn = false
      this.clock = clockAfter(projection, this.clock, readableEvents)
      setClock(this.sets, this.clock)
      this.anchor = anchorOf(last.stored)
    }
    this.position = to < head ? to : head
    this.passed += passed
    onPage(passed, this.position)
  }

  private async load(changes: readonly Change[]): Promise<void> {
    if (wantedBy(changes, this.sets).size === 0) return
    // Rows are looked for as they are at this moment: the table sees what is on its way, and the changes by `where` before.
    await this.written()
    if ([...this.sets.values()].some(({ isAhead }) => isAhead)) await this.write()
    await this.written()
    const wanted = wantedBy(changes, this.sets)
    const { pool, target } = this.model
    await inTransaction(pool, async (db) => {
      for (const [table, rows] of wanted) await loadRows(db, schemaOf(target), this.sets.get(table)!, rows)
    })
  }

  /** Makes the indexes by which statements will find the rows that memory has not. */
  private async index(changes: readonly Change[]): Promise<void> {
    for (const change of changes) {
      if ('key' in change || this.sets.get(change.table)!.whole) continue
      const columns = Object.keys(change.where).sort()
      const form = `${change.table.name} ${columns}`
      if (this.indexed.has(form)) continue
      await this.written()
      await this.model.index({ table: change.table, columns })
      this.indexed.add(form)
    }
  }

  /** Begins to write what changed, once what was written before is in the database. */
  async write(): Promise<void> {
    await this.written()
    if (this.passed === 0) return
    const { pool, target, note } = this.model
    const move = { to: this.position, passed: this.passed, clock: this.clock, anchor: this.anchor }
    const rows = [...this.sets.values()].map((set) => ({ layout: set.layout, written: set.written() }))
    const added = [...this.added.values()].map((one) => ({ layout: one.layout, lines: one.take() }))
    for (const { lines } of added) for (const { length } of lines) this.onTheirWay += length
    for (const set of this.sets.values()) set.settle()
    this.letGo()
    this.passed = 0
    const work = () =>
      inTransaction(pool, async (db) => {
        await note(db, move)
        for (const { layout, written } of rows) await fillRows(db, schemaOf(target), layout, written)
        for (const { layout, lines } of added) await copyLines(db, tableIn(schemaOf(target), layout), layout, lines)
      })
    this.writing = this.turns.take(work).then(
      () => {
        this.onTheirWay = 0
      },
      (error: unknown) => {
        this.failure = { error }
      },
    )
  }

  private letGo(): void {
    for (const [table, set] of this.sets) {
      if (this.lookedAt.has(table) && !this.leaving.has(table)) continue
      this.onTheirWay += set.bytes
      this.sets.set(table, new RowSet(set.layout))
    }
    this.leaving.clear()
  }

  /** What was written is in the database. */
  async written(): Promise<void> {
    await this.writing
    if (this.failure) throw this.failure.error
  }

  /** Ends the write under way, whatever comes of it, and writes the pages that it has taken whole, where it still may. */
  async keep(): Promise<void> {
    await this.writing
    if (!this.torn && !this.model.signal.aborted) await this.finish().catch(() => undefined)
  }

  /** Ends the write under way, whatever comes of it. */
  async quiet(): Promise<void> {
    await this.writing
  }

  async finish(): Promise<void> {
    await this.write()
    await this.written()
  }
}
