import { randomBytes, randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DomainEvent } from '../../domain/all-events.ts'
import { pairDecider } from '../../domain/pair/decider.ts'
import { type MemberId, type MessageId, pairIdOf } from '../../domain/shared/ids.ts'
import { createCodec } from '../../eventstore/codec.ts'
import { createDispatch } from '../../eventstore/dispatch.ts'
import { idFrom, uuidFrom } from '../../eventstore/ids.ts'
import { createKeyRing } from '../../eventstore/keys.ts'
import { type Log, openLog } from '../../eventstore/log.ts'
import { migrateToLatest } from '../../migrations/index.ts'
import type { Extent, Report } from './extent.ts'
import { median, ms, ratio, spread } from './figures.ts'
import type { Store } from './store.ts'

const MESSAGES = 10_000
const AT_ONCE = 500
const TIMES_EACH_ROUND = 7
const WORDS = 'Shall we meet at the river on Sunday, at about eleven? I could bring the bread.'

const [ann, bea] = ['ann', 'bea'].map((name) => idFrom('bench', name) as MemberId) as [MemberId, MemberId]
const stream = `pair-${pairIdOf(ann, bea)}`
const message = (number: number) => ({
  message: uuidFrom('bench message', number) as string as MessageId,
  from: ann,
  to: bea,
  text: WORDS,
  media: null,
  at: new Date(),
})

/** A write into a long conversation by a process that has nothing of it in memory, beside the next one of the same process. */
export async function benchUncached({ log: server, app }: Store, { rounds }: Extent, report: Report): Promise<void> {
  const pool = new pg.Pool(app)
  const log = openLog({ connectionString: server.connectionString })
  const masterKey = randomBytes(32)
  /** As a process has it that has just begun. */
  const process = () => {
    const keys = createKeyRing(pool, masterKey)
    const codec = createCodec(keys)
    return { codec, ...createDispatch({ log, codec, keys }) }
  }
  try {
    await migrateToLatest(new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }))
    await fill(log, process().codec)
    const [cold, warm]: [number[], number[]] = [[], []]
    for (let turn = 0; turn < rounds * TIMES_EACH_ROUND; turn++) {
      const { dispatch } = process()
      const write = () => timeOf(() => dispatch(pairDecider, { type: 'SendMessage', ...message(Math.random()) }, by()))
      cold.push(await write())
      warm.push(await write())
    }
    report({
      what: 'uncached write into a conversation of 10,000 messages',
      value: spread(cold),
      against: `cached ${ms(median(warm))}`,
      ratio: ratio(median(cold), median(warm)),
    })
  } finally {
    await log.close()
    await pool.end()
  }
}

const by = () => ({ commandId: randomUUID(), actor: ann, unlessErased: true })

async function timeOf(work: () => Promise<{ ok: boolean }>): Promise<number> {
  const startedAt = performance.now()
  if (!(await work()).ok) throw new Error('A write was refused.')
  return performance.now() - startedAt
}

/** Two who matched, and what one of them wrote; each message by a command of its own. */
async function fill(log: Log, codec: ReturnType<typeof createCodec>): Promise<void> {
  const events: DomainEvent[] = [
    { type: 'Matched', members: [ann, bea], at: new Date() },
    ...Array.from({ length: MESSAGES }, (_, index): DomainEvent => {
      return { type: 'MessageSent', number: index + 1, ...message(index + 1) }
    }),
  ]
  for (let from = 0; from < events.length; from += AT_ONCE) {
    const stored = await Promise.all(
      events.slice(from, from + AT_ONCE).map(async (event, index) => {
        const commandId = uuidFrom('bench command', from + index)
        const meta = {
          commandId,
          correlationId: commandId,
          causationId: commandId,
          actor: ann,
          fingerprint: commandId.slice(0, 22),
        }
        return (await codec.encode(stream, [event], [uuidFrom(commandId, stream, 0)], meta))[0]!
      }),
    )
    await log.append(stream, from === 0 ? 'none' : from - 1, stored)
  }
}
