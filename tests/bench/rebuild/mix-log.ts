import pg from 'pg'
import { createCodec } from '../../../eventstore/codec.ts'
import { uuidFrom } from '../../../eventstore/ids.ts'
import type { KeyRing } from '../../../eventstore/keys.ts'
import { fillSql, makeRoom } from '../../eventstore/fill-log.ts'
import { Mix, type Mixed, memberOf, membersIn } from './mix.ts'

const PAGE = 5_000
const SENT_AT = Date.parse('2026-01-01T00:00:00Z') * 1_000
const INSERT = fillSql(`
  select p, s, r, i, t, true, c, convert_to(d, 'utf8'), convert_to(m, 'utf8') from unnest($1::bigint[], $2::text[],
    $3::bigint[], $4::uuid[], $5::text[], $6::bigint[], $7::text[], $8::text[]) u(p, s, r, i, t, c, d, m)`)

/**
 * Writes the mix into an empty log's own table, by the product's codec and with sealed fields; appends are measured elsewhere.
 * The keys of members who were erased are gone in the end.
 */
export async function writeMix(database: pg.ClientConfig, keys: KeyRing, events: number): Promise<void> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    // All at once: a key at a time would be a transaction for each member.
    await keys.ensure(
      Array.from({ length: membersIn(events) }, (_, n) => memberOf(n)),
      () => undefined,
    )
    await makeRoom(client, events)
    const mix = new Mix(events)
    const rows = rowsOf(keys)
    let sent: Promise<unknown> = Promise.resolve()
    for (const page of pagesOf(mix)) {
      const made = await Promise.all(page.map(rows))
      // The database takes one page while the next is made.
      await sent
      sent = client.query(
        INSERT,
        Array.from({ length: 8 }, (_, at) => made.map((row) => row[at])),
      )
      sent.catch(() => undefined)
    }
    await sent
    for (const member of mix.erased) await keys.destroy(member)
    await client.query('vacuum analyze log.event')
  } finally {
    await client.end()
  }
}

function* pagesOf(mix: Mix): Generator<Mixed[]> {
  let page: Mixed[] = []
  for (const one of mix.all()) {
    page.push(one)
    if (page.length < PAGE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

function rowsOf(keys: KeyRing): (mixed: Mixed) => Promise<unknown[]> {
  const codec = createCodec(keys)
  return async ({ position, stream, revision, event }) => {
    const id = uuidFrom('mix event', position)
    const meta = { commandId: id, correlationId: id, causationId: id, actor: 'system' }
    const [stored] = await codec.encode(stream, [event], [id], meta)
    const { type, data, metadata } = stored!
    return [position, stream, revision, id, type, SENT_AT + position, JSON.stringify(data), JSON.stringify(metadata)]
  }
}
