import type pg from 'pg'

/** The streams of which an event of this type is in quarantine of a live read model. */
export async function quarantinedStreams(pool: pg.Pool, name: string, type: string): Promise<string[]> {
  const { rows } = await pool.query<{ stream: string }>(
    `select distinct stream from app.quarantine q join app.projection p using (name, version, generation)
     where q.name = $1 and q.type = $2 and p.state = 'live' order by stream`,
    [name, type],
  )
  return rows.map(({ stream }) => stream)
}
