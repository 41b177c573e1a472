import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ProposedEvent } from '../../eventstore/embedded/records.ts'
import { PostgresStorage } from '../../eventstore/embedded/storage/postgres-storage.ts'
import { decideWrite } from '../../eventstore/embedded/writer/decide-write.ts'
import type { Write } from '../../eventstore/embedded/writer/write.ts'
import { WriteDraft, WriterMemory } from '../../eventstore/embedded/writer/writer-memory.ts'
import { type FreshDatabase, freshDatabase } from '../support/fresh-database.ts'

const LARGE_BYTES = 200_000

const proposed = (bytes = 2): ProposedEvent => ({
  id: randomUUID(),
  type: 'Noted',
  json: false,
  data: Buffer.alloc(bytes),
  metadata: Buffer.alloc(0),
})

describe('a writer that has forgotten every event id', () => {
  let database: FreshDatabase
  let storage: PostgresStorage
  beforeEach(async () => {
    database = await freshDatabase()
    storage = new PostgresStorage({ database: database.config, logLine: () => {}, lockWaitMs: 1000 })
    await storage.open()
  })
  afterEach(async () => {
    await storage.close()
    await database.drop()
  })

  /** Decides and commits with a memory that knows nothing. */
  async function write(expected: Write['expected'], events: ProposedEvent[]) {
    const last = (await storage.readAll({ from: Number.MAX_SAFE_INTEGER, backwards: true, limit: 1 })).events[0]
    const draft = new WriteDraft(new WriterMemory(), storage, last?.position ?? 0)
    const append: Write = { kind: 'append', stream: 'pair-a_b', expected, events, deadline: Number.POSITIVE_INFINITY }
    const outcome = await decideWrite(append, draft, storage, Date.now())
    if (draft.events.length) await storage.commit(draft.events)
    return { outcome, added: draft.events.length }
  }

  test('knows an append at an exact revision again by reading the stream', async () => {
    const [first, second] = [[proposed(), proposed()], [proposed()]]
    await write('no_stream', first)
    await write(1, second)
    expect(await write('no_stream', first)).toEqual({ outcome: { ok: true, revision: 1, position: 2 }, added: 0 })
    expect(await write(1, second)).toEqual({ outcome: { ok: true, revision: 2, position: 3 }, added: 0 })
  })

  test('refuses other events at a revision that is taken', async () => {
    const [known, fresh] = [proposed(), proposed()]
    await write('no_stream', [known])
    const refused = { outcome: { ok: false, reason: 'wrong-revision', current: 0 }, added: 0 }
    expect(await write('no_stream', [fresh])).toEqual(refused)
    expect(await write('no_stream', [known, fresh])).toEqual(refused)
  })

  test('knows a repeated append again that is larger than a page', async () => {
    const events = Array.from({ length: 5 }, () => proposed(LARGE_BYTES))
    await write('no_stream', events)
    expect(await write('no_stream', events)).toEqual({ outcome: { ok: true, revision: 4, position: 5 }, added: 0 })
  })

  test('reads large events a page at a time', async () => {
    await write(
      'no_stream',
      Array.from({ length: 5 }, () => proposed(LARGE_BYTES)),
    )
    const page = await storage.readStream('pair-a_b', { from: 0, backwards: false, limit: 5 })
    expect([page.events.length, page.more]).toEqual([3, true])
  })
})
