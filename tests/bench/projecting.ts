import { randomBytes, randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DomainEvent } from '../../domain/all-events.ts'
import { type MemberId, type MessageId, pairIdOf } from '../../domain/shared/ids.ts'
import { idFrom } from '../../eventstore/ids.ts'
import { openLog } from '../../eventstore/log.ts'
import { migrateToLatest } from '../../migrations/index.ts'
import { allProjections } from '../../projections/all-projections.ts'
import { type Core, openCore } from '../../server/core.ts'
import { startLogProcess } from '../drills/log-child.ts'
import type { Extent, Report } from './extent.ts'
import { median, perSecond, ratio } from './figures.ts'
import { projectorOf } from './projector.ts'
import type { Store } from './store.ts'

const PAIRS = 16
const APPENDS = 40
const BURST = 25
const CAUGHT_UP_MS = 120_000

/**
 * Every read model of the product follows while matched pairs write; from the first append until all rows stand. Beside
 * it the same appends to a log that nobody follows.
 */
export async function benchProjecting(
  { postgres, log, app }: Store,
  { rounds }: Extent,
  report: Report,
): Promise<void> {
  await migrate(app)
  const unfollowed = await startLogProcess(postgres.clientConfig('bare'), 0)
  const bare = openLog({ connectionString: unfollowed.connectionString })
  const secrets = { masterKey: randomBytes(32), emailPepper: 'bench', mediaSecret: 'bench' }
  const core = await openCore({ database: app, log: log.connectionString, secrets })
  const projector = projectorOf(core)
  const caughtUp = async () => {
    if (!(await projector.waitFor(await core.log.head(), undefined, CAUGHT_UP_MS)))
      throw new Error('The read models did not catch up.')
  }
  try {
    await projector.start()
    const [own, alone]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      own.push(await rateOf(core, `${round} followed`, caughtUp))
      alone.push(await rateOf({ codec: core.codec, log: bare }, `${round} alone`))
    }
    report({
      what: `projected live into ${allProjections.length} read models`,
      value: `${perSecond(median(own))} events, with their appends`,
      against: `their appends alone ${perSecond(median(alone))}`,
      ratio: ratio(median(own), median(alone)),
    })
  } finally {
    await projector.stop()
    await core.close()
    await bare.close()
    await unfollowed.kill()
  }
}

export type Writer = Pick<Core, 'codec' | 'log'>

/** Events in a second, until `done`. */
async function rateOf(writer: Writer, round: string, done = async () => {}): Promise<number> {
  const startedAt = performance.now()
  const written = await Promise.all(Array.from({ length: PAIRS }, (_, pair) => writeConversation(writer, round, pair)))
  await done()
  return written.reduce((sum, count) => sum + count, 0) / ((performance.now() - startedAt) / 1_000)
}

/** The pair's stream, and what appends to it. */
export function conversationOf({ codec, log }: Writer, round: string, pair: number) {
  const idOf = (side: string) => idFrom('bench member', `${round} ${pair} ${side}`) as MemberId
  const [a, b] = [idOf('a'), idOf('b')]
  const stream = `pair-${pairIdOf(a, b)}`
  const at = new Date()
  let count = 0
  let sent = 0
  /** A burst of messages; the match comes before the first. */
  const append = async (messages: number): Promise<void> => {
    const events: DomainEvent[] = count === 0 ? [{ type: 'Matched', members: [a, b], at }] : []
    for (let n = 0; n < messages; n++) events.push(message(a, b, ++sent, at))
    const ids = events.map(() => randomUUID())
    const meta = { commandId: ids[0]!, correlationId: ids[0]!, causationId: ids[0]!, actor: a }
    const stored = await codec.encode(stream, events, ids, meta)
    await log.append(stream, count === 0 ? 'no_stream' : count - 1, stored)
    count += events.length
  }
  return { append, count: () => count }
}

async function writeConversation(writer: Writer, round: string, pair: number): Promise<number> {
  const { append, count } = conversationOf(writer, round, pair)
  for (let turn = 0; turn < APPENDS; turn++) await append(BURST)
  return count()
}

const message = (from: MemberId, to: MemberId, number: number, at: Date): DomainEvent => ({
  type: 'MessageSent',
  message: randomUUID() as MessageId,
  number,
  from,
  to,
  text: `Word ${number}`,
  media: null,
  at,
})

export async function migrate(database: pg.ClientConfig): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool(database) }) })
  await migrateToLatest(db).finally(() => db.destroy())
}
