import type pg from 'pg'
import { clientSource } from '../../../../eventstore/chain/client-source.ts'
import type { ChainDeps } from '../../../../eventstore/chain/extend.ts'
import { createSeals } from '../../../../eventstore/chain/seals.ts'
import type { ChainSource } from '../../../../eventstore/chain/source.ts'
import { holdsLog, tableSource } from '../../../../eventstore/chain/table-source.ts'
import { identityOf } from '../../../../eventstore/chain/tuple.ts'
import type { Clock } from '../../../../services/clock.ts'
import type { Core } from '../../../core.ts'
import { type MasterSecrets, masterKeysIn } from '../../../secrets.ts'

/**
 * The chain over a product's log. `table` is the database of the embedded log where it is at hand: it is read directly,
 * if it is the very log that the client reads.
 */
export async function chainOf(
  { log, storage }: Pick<Core, 'log' | 'storage'>,
  secrets: MasterSecrets,
  { now, table, signal }: { now: Clock; table?: pg.ClientConfig; signal?: AbortSignal },
): Promise<ChainDeps> {
  const byClient = clientSource(log)
  const source = table && (await isLogOf(table, byClient)) ? tableSource(table) : byClient
  return { pool: storage.pool, seals: createSeals(masterKeysIn(secrets)), now, source, ...(signal && { signal }) }
}

/**
 * Whether the table in this database is the log that the client reads: a product may be configured to use another one
 * than the embedded, whose table is then old or empty.
 */
export async function isLogOf(table: pg.ClientConfig, byClient: ChainSource): Promise<boolean> {
  if (!(await holdsLog(table))) return false
  const end = await byClient.head()
  // The log may grow between the two questions.
  return end <= (await tableSource(table).head()) && (await sameEvent(byClient, tableSource(table), end))
}

async function sameEvent(one: ChainSource, other: ChainSource, position: number): Promise<boolean> {
  const read = async (source: ChainSource) => {
    let found: Buffer = Buffer.alloc(0)
    await source.each({ after: position - 1, to: position }, (tuple) => {
      found = identityOf(tuple)
    })
    return found
  }
  return (await read(one)).equals(await read(other))
}
