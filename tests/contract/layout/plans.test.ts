import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PARTITIONED } from '../../../eventstore/embedded/storage/partitioned-tables.ts'
import { PostgresStorage } from '../../../eventstore/embedded/storage/postgres-storage.ts'
import { PLANS } from '../../../eventstore/embedded/storage/postgres-writer.ts'
import { type FreshDatabase, freshDatabase } from '../../support/fresh-database.ts'

const [SPAN, EVENTS, GROUP] = [500, 10_000, 250]
/** Begins in the last two of twenty partitions. */
const LATE_FROM = 9_200
const BYTES = 500_000

const STATEMENTS = {
  summarise: ['text[]', PARTITIONED.summarise, `array['late-7', '$$late-7', 'unheard']`],
  forwards: ['bigint, int, bigint, text', PARTITIONED.stream.forwards, `0, 20, ${BYTES}, 'late-7'`],
  backwards: ['bigint, int, bigint, text', PARTITIONED.stream.backwards, `${2 ** 53 - 1}, 20, ${BYTES}, 'late-7'`],
  all: ['bigint, int, bigint', PARTITIONED.all.forwards, `${LATE_FROM}, 20, ${BYTES}`],
  allBackwards: ['bigint, int, bigint', PARTITIONED.all.backwards, `${LATE_FROM}, 20, ${BYTES}`],
  newest: ['bigint', PARTITIONED.newestPositions, `${LATE_FROM}`],
} as const

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Loops': number
  'Actual Rows': number
  Plans?: Node[]
}

let database: FreshDatabase
let client: pg.Client

beforeAll(async () => {
  database = await freshDatabase()
  const settings = { database: database.config, logLine: () => undefined, lockWaitMs: 1_000 }
  const storage = new PostgresStorage({ ...settings, tables: { span: SPAN } })
  await storage.open()
  client = new pg.Client(database.config)
  await client.connect()
  await client.query(PLANS)
  // As a server that was started on an empty log, and of which Postgres has counted nothing.
  for (const [name, [types, text, values]] of Object.entries(STATEMENTS)) {
    await client.query(`prepare "${name}" (${types}) as ${text}`)
    await client.query(`execute "${name}" (${values})`)
  }
  await fill(storage)
  await storage.close()
}, 60_000)
afterAll(async () => {
  await client.end()
  await database.drop()
})

async function fill(storage: PostgresStorage): Promise<void> {
  const revisions = new Map<string, number>()
  const event = (position: number) => {
    const name = position % 3 === 0 ? `single-${position}` : `old-${position % 100}`
    const stream = position >= LATE_FROM && position % 2 ? `late-${position % 10}` : name
    const revision = (revisions.get(stream) ?? -1) + 1
    revisions.set(stream, revision)
    const data = Buffer.from(`{"text":"${'x'.repeat(200)}"}`)
    const own = { id: randomUUID(), type: 'Noted', json: true, created: position, data, metadata: Buffer.alloc(0) }
    return { ...own, position, stream, revision }
  }
  for (let at = 1; at <= EVENTS; at += GROUP)
    await storage.commit(Array.from({ length: GROUP }, (_, index) => event(at + index)))
}

/** The tables that a statement looked into, and those of them that it read from end to end. */
async function looks(name: string, values: string): Promise<{ events: Set<string>; whole: string[] }> {
  const { rows } = await client.query(
    `explain (analyze, costs off, timing off, format json) execute "${name}" (${values})`,
  )
  const events = new Set<string>()
  const whole: string[] = []
  const walk = (node: Node) => {
    const table = node['Relation Name']
    if (table && node['Actual Loops'] > 0) {
      if (table.startsWith('event_')) events.add(table)
      if (/^(Seq|Bitmap)/.test(node['Node Type'])) whole.push(table)
    }
    for (const below of node.Plans ?? []) walk(below)
  }
  walk(rows[0]['QUERY PLAN'][0].Plan)
  return { events, whole }
}

test.each(Object.entries(STATEMENTS))(
  '%s looks into few partitions, and reads none whole',
  async (name, [, , values]) => {
    for (const counted of [false, true]) {
      if (counted) await client.query('analyze')
      const { events, whole } = await looks(name, values)
      expect(whole).toEqual([])
      expect(events.size).toBeGreaterThan(0)
      expect(events.size).toBeLessThanOrEqual(3)
    }
  },
)
