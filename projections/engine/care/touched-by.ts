import { type Position, START } from '../../../domain/shared/recorded.ts'
import { type Codec, UndecodableEvent } from '../../../eventstore/codec.ts'
import type { StoredEvent } from '../../../eventstore/events.ts'
import type { Log } from '../../../eventstore/log.ts'
import type { AnyTable, Projection } from '../../projection.ts'
import { type AnyRow, layoutOf } from '../columns.ts'
import { decodeAll } from '../decoding.ts'
import { clockAfter } from '../expiry/clock.ts'
import { type PageSource, pagesBetween } from '../fill/pages.ts'
import { changesOf, foldChange, passedBy } from '../fold.ts'
import { RowSet } from '../row-set.ts'

/** What an event did to a row. Columns that it changed are named; their values are not. */
export type Touch = {
  readonly stored: Pick<StoredEvent, 'id' | 'type' | 'stream' | 'revision' | 'position' | 'recordedAt'>
  readonly did: 'made' | 'changed' | 'removed' | 'nothing' | 'failed'
  readonly columns: readonly string[]
}

/** A row asked for, as the log makes it (null when it does not), and the events that touched it, in log order. */
export type Explained = {
  readonly table: AnyTable
  readonly key: AnyRow
  readonly row: AnyRow | null
  readonly touches: readonly Touch[]
}

export type TouchDeps = PageSource & { readonly log: Pick<Log, 'head'>; readonly codec: Codec }

type Asked = { readonly table: AnyTable; readonly key: AnyRow }
type Followed = Asked & { set: RowSet; id: string; touches: Touch[] }

/** Folds the log for a few rows alone, up to a position or its head. */
export async function touchedBy(
  deps: TouchDeps,
  projection: Projection,
  rows: readonly Asked[],
  to?: Position,
): Promise<Explained[]> {
  const followed = rows.map(({ table, key }): Followed => {
    const set = new RowSet(layoutOf(table))
    return { table, key, set, id: set.idOf(key), touches: [] }
  })
  let clock: Date | null = null
  const span = { after: START, to: to ?? (await deps.log.head()), without: passedBy([projection]) }
  for await (const { events } of pagesBetween(deps, span)) {
    for (const { stored, event } of await decodeAll(deps.codec, events)) {
      if (event instanceof UndecodableEvent) continue
      for (const one of followed) step(one, stored, () => changesOf(projection, [event], clock))
      clock = clockAfter(projection, clock, [event])
    }
  }
  for (const { set } of followed) if (clock) set.clock = clock
  return followed.map(({ table, key, set, id, touches }) => ({ table, key, row: set.get(id) ?? null, touches }))
}

function step(one: Followed, stored: StoredEvent, changes: () => ReturnType<typeof changesOf>): void {
  const before = one.set.get(one.id)
  let touched = false
  try {
    for (const change of changes()) {
      if (change.table !== one.table) continue
      const mine = 'key' in change ? one.set.idOf(change.key) === one.id : one.set.matching(change.where).length > 0
      if (!mine) continue
      touched = true
      foldChange(change, one.set)
    }
    if (touched) one.touches.push({ stored, ...difference(before, one.set.get(one.id)) })
  } catch {
    one.touches.push({ stored, did: 'failed', columns: [] })
  }
}

function difference(before: AnyRow | undefined, after: AnyRow | undefined): Pick<Touch, 'did' | 'columns'> {
  if (!after) return { did: before ? 'removed' : 'nothing', columns: [] }
  if (!before) return { did: 'made', columns: [] }
  const text = (value: unknown) => JSON.stringify(value) ?? 'null'
  const columns = Object.keys(after).filter((name) => text(before[name]) !== text(after[name]))
  return { did: columns.length > 0 ? 'changed' : 'nothing', columns }
}
