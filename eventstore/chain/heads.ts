import type pg from 'pg'

/**
 * A run of sealed events: those after position `after` up to `last`. `content` is the SHA-256 of their tuples,
 * `listing` that of their points and digests, and `head` that of the head before, `content` and `listing`: the link of
 * the chain.
 */
export type Segment = {
  readonly seq: number
  readonly after: number
  readonly last: number
  readonly events: number
  /** UTC, `YYYY-MM-DD`: the day of its newest event. */
  readonly day: string
  readonly prev: Buffer
  readonly content: Buffer
  readonly listing: Buffer
  readonly head: Buffer
  readonly mac: Buffer
}

/** The chain at the end of a day: its last segment, and how many events it covers since the beginning. */
export type Day = {
  readonly day: string
  readonly seq: number
  readonly last: number
  readonly events: number
  readonly head: Buffer
  readonly signature: Buffer
}

/** What the first segment follows on. */
export const GENESIS = Buffer.alloc(32)

const SEGMENT = 'seq, after, last, events, day, prev, content, listing, head, mac'

type Raw<T> = { [column in keyof T]: T[column] extends number ? string | number : T[column] }
const segmentOf = (row: Raw<Segment>): Segment => ({
  ...row,
  seq: Number(row.seq),
  after: Number(row.after),
  last: Number(row.last),
  events: Number(row.events),
})
const dayOf = (row: Raw<Day>): Day => ({
  ...row,
  seq: Number(row.seq),
  last: Number(row.last),
  events: Number(row.events),
})

/** All heads, the oldest first, without the packed listings. */
export async function readSegments(pool: pg.Pool): Promise<Segment[]> {
  const { rows } = await pool.query<Raw<Segment>>(`select ${SEGMENT} from app.chain_segment order by seq`)
  return rows.map(segmentOf)
}

export async function readTip(pool: pg.Pool): Promise<Segment | null> {
  const { rows } = await pool.query<Raw<Segment>>(`select ${SEGMENT} from app.chain_segment order by seq desc limit 1`)
  return rows[0] ? segmentOf(rows[0]) : null
}

export async function readPacked(pool: pg.Pool, seq: number): Promise<Buffer | null> {
  const text = 'select packed from app.chain_segment where seq = $1'
  return (await pool.query<{ packed: Buffer }>(text, [seq])).rows[0]?.packed ?? null
}

/** False when another process was first with this number. */
export async function addSegment(pool: pg.Pool, segment: Segment, packed: Buffer): Promise<boolean> {
  const { seq, after, last, events, day, prev, content, listing, head, mac } = segment
  const { rowCount } = await pool.query(
    `insert into app.chain_segment (${SEGMENT}, packed)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing`,
    [seq, after, last, events, day, prev, content, listing, head, mac, packed],
  )
  return rowCount === 1
}

export async function readDays(pool: pg.Pool): Promise<Day[]> {
  const { rows } = await pool.query<Raw<Day>>(
    'select day, seq, last, events, head, signature from app.chain_day order by day',
  )
  return rows.map(dayOf)
}

/** Days before `today` on which something was sealed and that have no signed head yet. */
export async function endedDays(pool: pg.Pool, today: string): Promise<Omit<Day, 'signature'>[]> {
  const { rows } = await pool.query<Raw<Omit<Day, 'signature'>>>(
    `select d.day, s.seq, s.last, s.head, (select sum(events) from app.chain_segment where seq <= s.seq) as events
     from (select day, max(seq) as seq from app.chain_segment
       where day < $1 and day > coalesce((select max(day) from app.chain_day), '') group by day) d
     join app.chain_segment s using (seq) order by d.day`,
    [today],
  )
  return rows.map((row) => dayOf({ ...row, signature: GENESIS }))
}

/** False when another process was first with this day. */
export async function addDay(pool: pg.Pool, { day, seq, last, events, head, signature }: Day): Promise<boolean> {
  const { rowCount } = await pool.query(
    `insert into app.chain_day (day, seq, last, events, head, signature)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [day, seq, last, events, head, signature],
  )
  return rowCount === 1
}
