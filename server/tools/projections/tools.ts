import type pg from 'pg'
import { clientSource } from '../../../eventstore/chain/client-source.ts'
import { allModels, allProjections } from '../../../projections/all-projections.ts'
import { listUnknown } from '../../../projections/engine/care/unknown-tables.ts'
import type { Projection } from '../../../projections/projection.ts'
import type { Core } from '../../core.ts'
import { UsageError } from '../cli/support/command.ts'
import { isLogOf } from '../history/chain/chain-of.ts'

/** What commands on read models work with. `table` is the embedded log's own database, where it is the log. */
export type Tools = {
  readonly core: Core
  readonly table: pg.ClientConfig | undefined
  readonly signal: AbortSignal
}

/** The log's table is read directly only if it is the very log that the client reads. */
export async function openTools(core: Core, logDatabase: pg.ClientConfig, signal: AbortSignal): Promise<Tools> {
  const table = (await isLogOf(logDatabase, clientSource(core.log)).catch(() => false)) ? logDatabase : undefined
  return { core, table, signal }
}

export const nameList = (): string => allModels.join(', ')

/** Undefined for a name that no read model of this release has. */
export const projectionNamed = (name: string): Projection | undefined => allProjections.find((one) => one.name === name)

export const noneNamed = (name: string) => new UsageError(`There is no read model "${name}". There are: ${nameList()}.`)

/** Throws UsageError for names that no read model has, of this release or, with tables, of another. */
export async function requireNames({ core }: Tools, names: readonly string[]): Promise<void> {
  const unknown = await listUnknown(core.storage.pool, allProjections)
  for (const name of names) if (!projectionNamed(name) && !unknown.includes(name)) throw noneNamed(name)
}
