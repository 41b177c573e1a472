import { randomBytes, randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DomainEvent } from '../../domain/all-events.ts'
import { type MemberId, type MessageId, pairIdOf } from '../../domain/shared/ids.ts'
import { idFrom } from '../../eventstore/ids.ts'
import { migrateToLatest } from '../../migrations/index.ts'
import { allProjections } from '../../projections/all-projections.ts'
import { createProjector } from '../../projections/engine/engine.ts'
import { type Core, openCore } from '../../server/core.ts'
import { type Figure, median, perSecond } from './figures.ts'
import type { Store } from './store.ts'

const PAIRS = 16
const APPENDS = 40
const BURST = 25
const ROUNDS = 3
const CAUGHT_UP_MS = 120_000

/** Every read model of the product follows while matched pairs write; from the first append until all rows stand. */
export async function benchProjecting({ log, app }: Store): Promise<Figure[]> {
  await migrate(app)
  const secrets = { masterKey: randomBytes(32), emailPepper: 'bench', mediaSecret: 'bench' }
  const core = await openCore({ database: app, log: log.connectionString, secrets })
  const projector = createProjector({
    ...{ log: core.log, feed: core.feed, codec: core.codec, keys: core.keys, pool: core.storage.pool },
    ...{ projections: allProjections, now: () => new Date(), report: () => undefined },
  })
  try {
    await projector.start()
    const rates: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const startedAt = performance.now()
      const written = await Promise.all(Array.from({ length: PAIRS }, (_, pair) => talk(core, round, pair)))
      if (!(await projector.waitFor(await core.log.head(), undefined, CAUGHT_UP_MS)))
        throw new Error('The read models did not catch up.')
      const events = written.reduce((sum, count) => sum + count, 0)
      rates.push(events / ((performance.now() - startedAt) / 1000))
    }
    const what = `projected live into ${allProjections.length} read models`
    return [{ what, value: `${perSecond(median(rates))} events, with their appends` }]
  } finally {
    await projector.stop()
    await core.close()
  }
}

async function talk({ codec, log }: Core, round: number, pair: number): Promise<number> {
  const idOf = (side: string) => idFrom('bench member', `${round} ${pair} ${side}`) as MemberId
  const [a, b] = [idOf('a'), idOf('b')]
  const stream = `pair-${pairIdOf(a, b)}`
  const at = new Date()
  let count = 0
  for (let turn = 0; turn < APPENDS; turn++) {
    const events: DomainEvent[] = turn === 0 ? [{ type: 'Matched', members: [a, b], at }] : []
    for (let n = 1; events.length < BURST; n++) events.push(message(a, b, turn * BURST + n, at))
    const ids = events.map(() => randomUUID())
    const stored = await codec.encode(stream, events, ids, {
      ...{ commandId: ids[0]!, correlationId: ids[0]!, causationId: ids[0]!, actor: a },
    })
    await log.append(stream, count === 0 ? 'none' : count - 1, stored)
    count += events.length
  }
  return count
}

const message = (from: MemberId, to: MemberId, number: number, at: Date): DomainEvent => ({
  ...{ type: 'MessageSent', message: randomUUID() as MessageId, number, from, to, text: `Word ${number}` },
  ...{ media: null, at },
})

async function migrate(database: pg.ClientConfig): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool(database) }) })
  await migrateToLatest(db).finally(() => db.destroy())
}
