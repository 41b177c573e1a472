import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { DomainEvent } from '../../domain/all-events.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { valueOr } from '../../domain/shared/personal.ts'
import type { Codec } from '../../eventstore/codec.ts'
import { idFrom, uuidFrom } from '../../eventstore/ids.ts'
import { fold, type Projection, type Table } from '../../projections/projection.ts'
import { fillSql, makeRoom } from '../eventstore/fill-log.ts'

const INSERT = fillSql(`
  select p, s, r, i, t, true, c, convert_to(d, 'utf8'), convert_to(m, 'utf8') from unnest($1::bigint[], $2::text[],
    $3::bigint[], $4::uuid[], $5::text[], $6::bigint[], $7::text[], $8::text[]) u(p, s, r, i, t, c, d, m)`)

/** One row for each member; the same model with and without sealed fields. */
export type CardRow = { member: string; changes: number; word: string; last_at: Date | null }

const tableOf = (name: string): Table<CardRow> => ({
  name,
  columns: {
    member: 'text collate "C" not null',
    changes: 'integer not null',
    word: 'text not null',
    last_at: 'timestamptz',
  },
  key: ['member'],
  indexes: [{ on: 'last_at', serves: 'a bench' }],
})

const openCard = tableOf('bench_open_card')
const sealedCard = tableOf('bench_sealed_card')

const learn = (table: Table<CardRow>, member: string, word: string, last_at: Date) =>
  fold(table, { member }, (row) => ({ member, changes: (row?.changes ?? 0) + 1, word, last_at }))

/** Of events without a sealed field. */
export const openCards: Projection = {
  name: 'bench_open',
  version: 1,
  tables: [openCard],
  when: { VisibilityChanged: ({ member, visibility, at }) => [learn(openCard, member, visibility, at)] },
}

/** Of events whose only word is sealed. */
export const sealedCards: Projection = {
  name: 'bench_sealed',
  version: 1,
  tables: [sealedCard],
  when: { BioChanged: ({ member, bio, at }) => [learn(sealedCard, member, valueOr(bio, ''), at)] },
}

const PAGE = 5_000
const STARTED_AT = Date.parse('2026-01-01T00:00:00Z')
export const memberOf = (n: number) => idFrom('bench', String(n)) as MemberId

/** Writes events into an empty embedded log's own table, member by member in turns: appends are measured elsewhere. */
export async function generate(
  database: pg.ClientConfig,
  codec: Codec,
  sealed: boolean,
  events: number,
  members: number,
) {
  const client = new pg.Client(database)
  await client.connect()
  try {
    await makeRoom(client, events)
    let sent: Promise<unknown> = Promise.resolve()
    for (let from = 0; from < events; from += PAGE) {
      const rows = await Promise.all(
        Array.from({ length: Math.min(PAGE, events - from) }, (_, index) =>
          rowOf(codec, sealed, from + index, members),
        ),
      )
      const column = (at: number) => rows.map((row) => row[at])
      // The database takes one page while the next is made.
      await sent
      sent = client.query(
        INSERT,
        Array.from({ length: 8 }, (_, at) => column(at)),
      )
      sent.catch(() => undefined)
    }
    await sent
    await client.query('vacuum analyze log.event')
  } finally {
    await client.end()
  }
}

async function rowOf(codec: Codec, sealed: boolean, n: number, members: number): Promise<unknown[]> {
  const member = memberOf(n % members)
  const [stream, revision, id] = [`profile-${member}`, Math.floor(n / members), uuidFrom('bench', n)]
  const at = new Date(STARTED_AT + n)
  const event = (
    sealed
      ? { type: 'BioChanged', member, bio: `Likes long walks, number ${n}, and ${randomBytes(12).toString('hex')}`, at }
      : { type: 'VisibilityChanged', member, visibility: n % 2 ? 'active' : 'invisible', at }
  ) as DomainEvent
  const meta = { commandId: id, correlationId: id, causationId: id, actor: member }
  const [stored] = await codec.encode(stream, [event], [id], meta)
  const { type, data, metadata } = stored!
  return [n, stream, revision, id, type, at.getTime() * 1000, JSON.stringify(data), JSON.stringify(metadata)]
}
