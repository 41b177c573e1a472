import type pg from 'pg'
import { withTimeout } from '../../../eventstore/retry.ts'
import type { Projection } from '../../projection.ts'
import { lockTarget, schemaOf, type Target } from '../checkpoints.ts'
import { layoutOf, type TableLayout } from '../columns.ts'
import { tableIn } from '../rows.ts'
import { changeAt, placesOf } from '../sets/run-sets.ts'
import { GIVES_WAY, inTransaction } from '../transaction.ts'
import { deleteOwed, isOwed, listOwed, type Owed, PIECE } from './owed.ts'

/** Rows that are looked up at once, beside everybody: the pieces take them from there. */
const LISTED = 10_000
/** Such a look meets the index entries of all that the author wrote; one that takes so long is not alive. */
const LOOK_MS = 120_000

/** `until`: what is paid ends with it, with its reason. `silentMs`: a look that takes longer is given up. */
export type Paying = {
  readonly pool: pg.Pool
  readonly projection: Projection
  readonly piece?: number | undefined
  readonly silentMs?: number | undefined
  readonly until?: AbortSignal | undefined
}

/** Where rows of one that is owed are; `places` is null until the answer is there, or `failed` why there is none. */
type Look = { readonly number: string; readonly ended: Promise<void>; places: string[] | null; failed: unknown }

/** What a read model owes, in memory as in the database; each piece is a transaction that holds back no more than itself. */
export class Debts {
  private owed: readonly Owed[] | null = null
  private look: Look | null = null

  constructor(
    private readonly deps: Paying,
    private readonly target: () => Target,
  ) {}

  /** The next look reads what is owed. */
  forget(): void {
    this.owed = null
  }

  get mayBe(): boolean {
    return this.owed === null || this.owed.length > 0
  }

  async list(): Promise<readonly Owed[]> {
    this.owed ??= await this.asked((db) => listOwed(db, this.target()))
    return this.owed
  }

  /** False when nothing is owed any more. It looks where rows are beside everybody, and no longer than until `sooner` settles. */
  async payPiece(sooner?: Promise<unknown>): Promise<boolean> {
    const [first] = await this.list()
    if (first) await this.payPieceOf(first, sooner)
    return first !== undefined
  }

  private async payPieceOf(first: Owed, sooner?: Promise<unknown>): Promise<void> {
    const layout = layoutNamed(this.deps.projection, first.table)
    const table = tableIn(schemaOf(this.target()), layout)
    if (this.look?.number !== first.number) this.look = this.lookFor(first, table, layout)
    const { look } = this
    if (!look.places) await Promise.race(sooner ? [look.ended, sooner] : [look.ended])
    if (look.places || look.failed) this.look = null
    if (look.failed) throw look.failed
    if (!look.places) return
    await this.inPiece(first, table, layout, look.places.splice(0, this.deps.piece ?? PIECE))
    if (look.places.length > 0) this.look = look
  }

  private lookFor({ number, change }: Owed, table: string, layout: TableLayout): Look {
    const answer = this.asked((db) => placesOf(db, table, layout, change, LISTED))
    const ended = answer.then(
      (places) => {
        look.places = places
      },
      (error: unknown) => {
        look.failed = error
      },
    )
    const look: Look = { number, ended, places: null, failed: null }
    return look
  }

  /** A question that takes too long ends, a connection that is silent is cut, and whoever waits for it leaves with `until`. */
  private asked<T>(work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
    const { pool, silentMs = LOOK_MS, until } = this.deps
    const limits = { cutMs: silentMs, statementMs: Math.ceil(silentMs * 0.9) }
    return withTimeout(inTransaction(pool, work, limits), silentMs, until)
  }

  /** Between two pieces it throws why `until` has ended: the others stay owed. */
  async payAll(): Promise<void> {
    while (await this.payPiece()) this.deps.until?.throwIfAborted()
  }

  /** The one of this number, and those before it of the same table. */
  async payUpTo(number: string): Promise<void> {
    for (;;) {
      const owed = await this.list()
      const last = owed.find((one) => one.number === number)
      if (!last) return
      await this.payPieceOf(owed.find(({ table }) => table === last.table)!)
      this.deps.until?.throwIfAborted()
    }
  }

  /** No places are left: it is paid. What another process has paid meanwhile is not paid again, onto rows that came after it. */
  private async inPiece(first: Owed, table: string, layout: TableLayout, places: readonly string[]): Promise<void> {
    const target = this.target()
    const isPaid = await inTransaction(
      this.deps.pool,
      async (db) => {
        await lockTarget(db, target)
        if (!(await isOwed(db, target, first))) return true
        if (places.length > 0) await changeAt(db, table, layout, first.change, places)
        else await deleteOwed(db, target, first)
        return places.length === 0
      },
      { ...GIVES_WAY, piece: true },
    )
    if (isPaid) this.owed = this.owed?.filter((one) => one !== first) ?? null
  }
}

function layoutNamed({ name, tables }: Projection, table: string): TableLayout {
  const found = tables.find((one) => one.name === table)
  if (!found) throw new Error(`${name} owes rows of ${table}, which is no table of it`)
  return layoutOf(found)
}
