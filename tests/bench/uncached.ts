import { randomBytes, randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DomainEvent } from '../../domain/all-events.ts'
import { pairDecider } from '../../domain/pair/decider.ts'
import { type MemberId, type MessageId, pairIdOf } from '../../domain/shared/ids.ts'
import { type Codec, createCodec } from '../../eventstore/codec.ts'
import { createDispatch, type Dispatch } from '../../eventstore/dispatch.ts'
import { idFrom, uuidFrom } from '../../eventstore/ids.ts'
import { createKeyRing } from '../../eventstore/keys.ts'
import { type Log, openLog } from '../../eventstore/log.ts'
import { createSnapshots, noSnapshots, type Snapshots } from '../../eventstore/snapshots/snapshots.ts'
import { migrateToLatest } from '../../migrations/index.ts'
import type { Extent, Report } from './extent.ts'
import { type Figure, median, ms, ratio, spread } from './figures.ts'
import type { Store } from './store.ts'

const MESSAGES = 10_000
const AT_ONCE = 500
const FINGERPRINT = 22
const TIMES_EACH_ROUND = 7
const WARM_UP = 3
const WORDS = 'Shall we meet at the river on Sunday, at about eleven? I could bring the bread.'

const [ann, bea] = ['ann', 'bea'].map((name) => idFrom('bench', name) as MemberId) as [MemberId, MemberId]
const stream = `pair-${pairIdOf(ann, bea)}`
const message = (id: string) => ({
  message: id as MessageId,
  from: ann,
  to: bea,
  text: WORDS,
  media: null,
  at: new Date(),
})

/**
 * Writes into a long conversation by processes that have nothing of it in memory, with a snapshot that half of the events
 * between two followed, and without any; beside the next write of the same process.
 */
export async function benchUncached({ log: server, app }: Store, { rounds }: Extent, report: Report): Promise<void> {
  const pool = new pg.Pool(app)
  const log = openLog({ connectionString: server.connectionString })
  const masterKey = randomBytes(32)
  /** As a process has it that has just begun. */
  const process = (snapshots: Snapshots) => {
    const keys = createKeyRing(pool, masterKey)
    return createDispatch({ log, codec: createCodec(keys), keys, snapshots })
  }
  try {
    await migrateToLatest(new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }))
    const codec = createCodec(createKeyRing(pool, masterKey))
    const [own, without, cached]: [number[], number[], number[]] = [[], [], []]
    await fill(log, codec, { from: 0, to: MESSAGES })
    const snapshots = createSnapshots({ pool, log })
    await process(snapshots).loadState(pairDecider, pairIdOf(ann, bea))
    await snapshots.settled()
    await fill(log, codec, { from: MESSAGES, to: MESSAGES + snapshots.every / 2 })
    for (let turn = -WARM_UP; turn < rounds * TIMES_EACH_ROUND; turn++) {
      const { dispatch } = process(snapshots)
      const times = [await timeOf(dispatch), await timeOf(dispatch)] as const
      if (turn < 0) continue
      own.push(times[0])
      cached.push(times[1])
    }
    // Last: what a long fold leaves for the collector would be counted in the others.
    for (let turn = 0; turn < rounds * TIMES_EACH_ROUND; turn++)
      without.push(await timeOf(process(noSnapshots).dispatch))
    report(figureOf('', own, cached))
    report(figureOf(', no snapshot', without, cached))
  } finally {
    await log.close()
    await pool.end()
  }
}

const figureOf = (how: string, times: readonly number[], cached: readonly number[]): Figure => ({
  what: `uncached write into ${MESSAGES.toLocaleString('en')} messages${how}`,
  value: spread(times),
  against: `cached ${ms(median(cached))}`,
  ratio: ratio(median(times), median(cached)),
})

async function timeOf(dispatch: Dispatch): Promise<number> {
  const command = { type: 'SendMessage' as const, ...message(randomUUID()) }
  const startedAt = performance.now()
  const { ok } = await dispatch(pairDecider, command, { commandId: randomUUID(), actor: ann, unlessErased: true })
  if (!ok) throw new Error('A write was refused.')
  return performance.now() - startedAt
}

/** What one of two who matched wrote; each message by a command of its own. */
async function fill(log: Log, codec: Codec, { from, to }: { from: number; to: number }): Promise<void> {
  for (let first = from; first < to; first += AT_ONCE) {
    const stored = Array.from({ length: Math.min(AT_ONCE, to - first) }, async (_, index) => {
      const number = first + index
      const commandId = uuidFrom('bench command', number)
      const fingerprint = commandId.slice(0, FINGERPRINT)
      const meta = { commandId, correlationId: commandId, causationId: commandId, actor: ann, fingerprint }
      return (await codec.encode(stream, [eventAt(number)], [uuidFrom(commandId, stream, 0)], meta))[0]!
    })
    await log.append(stream, first === 0 ? 'no_stream' : first - 1, await Promise.all(stored))
  }
}

const eventAt = (number: number): DomainEvent =>
  number === 0
    ? { type: 'Matched', members: [ann, bea], at: new Date() }
    : { type: 'MessageSent', number, ...message(uuidFrom('bench message', number)) }
