import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { type Log, openLog } from '../../eventstore/log.ts'
import type { Extent, Report } from './extent.ts'
import { type Figure, median, perSecond, ratio, spread, timed } from './figures.ts'
import type { Store } from './store.ts'

const LANES = [1, 16, 64]
const DATA = { text: 'x'.repeat(200) }
const TABLE = `create table event (position bigserial primary key, stream text not null, revision bigint not null,
  id uuid not null, type text not null, data bytea not null, unique (stream, revision))`
const INSERT = 'insert into event (stream, revision, id, type, data) values ($1, $2, $3, $4, $5)'

type Round = { rate: number; times: number[] }

/** Appends of one event through the client and the wire, beside the same row by a plain insert. */
export async function benchAppends({ log: server, bare }: Store, extent: Extent, report: Report): Promise<void> {
  const log = openLog({ connectionString: server.connectionString })
  const pool = new pg.Pool({ ...bare, max: Math.max(...LANES) })
  try {
    await pool.query(TABLE)
    for (const lanes of LANES) {
      const [own, direct]: [Round[], Round[]] = [[], []]
      for (let round = 0; round < extent.rounds; round++) {
        own.push(await measured(lanes, extent, appendOn(log)))
        direct.push(await measured(lanes, extent, insertBy(pool)))
      }
      report(figureOf(lanes, own, direct))
    }
  } finally {
    await log.close()
    await pool.end()
  }
}

async function measured(lanes: number, { seconds }: Extent, work: (lane: number) => Promise<unknown>): Promise<Round> {
  const times = await timed(lanes, seconds * 1_000, work)
  return { rate: times.length / seconds, times }
}

function appendOn(log: Log) {
  const run = randomUUID()
  const revisions = new Map<number, number>()
  return async (lane: number) => {
    const revision = revisions.get(lane)
    const event = { id: randomUUID(), type: 'Measured', data: DATA, metadata: {} }
    await log.append(`bench-${run}${lane}`, revision ?? 'no_stream', [event])
    revisions.set(lane, (revision ?? -1) + 1)
  }
}

function insertBy(pool: pg.Pool) {
  const run = randomUUID()
  const data = Buffer.from(JSON.stringify(DATA))
  const revisions = new Map<number, number>()
  return async (lane: number) => {
    const revision = (revisions.get(lane) ?? -1) + 1
    await pool.query({
      name: 'insert',
      text: INSERT,
      values: [`bench-${run}${lane}`, revision, randomUUID(), 'Measured', data],
    })
    revisions.set(lane, revision)
  }
}

function figureOf(lanes: number, own: readonly Round[], direct: readonly Round[]): Figure {
  const rate = (rounds: readonly Round[]) => median(rounds.map((round) => round.rate))
  const format = (rounds: readonly Round[]) =>
    `${perSecond(rate(rounds))}, ${spread(rounds.flatMap((round) => round.times))}`
  return {
    what: `appends, ${lanes} at once`,
    value: format(own),
    against: `INSERT ${format(direct)}`,
    ratio: ratio(rate(own), rate(direct)),
  }
}
