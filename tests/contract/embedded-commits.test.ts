import { DeadlineExceededError, END, NO_STREAM, streamNameFilter, UnavailableError } from '@eventstore/db-client'
import { afterEach, describe, expect, test } from 'vitest'
import { runIn } from '../support/fresh-database.ts'
import { until } from '../support/until.ts'
import { delayCommits } from './delayed-commit.ts'
import { all, type EmbeddedTarget, newStream, note, openEmbedded, REAL_LOG, typesOf } from './log-target.ts'

/** Resolves once every given promise has settled, and counts meanwhile how many have. */
function watch(promises: Promise<unknown>[]) {
  const state = { settled: 0 }
  for (const promise of promises) {
    const count = () => {
      state.settled++
    }
    promise.then(count, count)
  }
  return state
}

const REFUSE_POISON = `
  create function log.refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
  create trigger refuse before insert on log.event for each row when (new.type = 'Poison') execute function log.refuse()`

describe.skipIf(REAL_LOG)('commits of the embedded log', () => {
  let target: EmbeddedTarget
  afterEach(() => target.close())

  test('a commit that cannot be seen yet is never overtaken', async () => {
    target = await openEmbedded()
    const { client, database } = target
    const category = newStream('delayed').replaceAll('-', '')
    const following = client.subscribeToAll({ fromPosition: END, filter: streamNameFilter({ prefixes: [category] }) })
    const live: string[] = []
    following.on('data', ({ event }) => live.push(event!.type))
    await new Promise((resolve) => following.once('caughtUp', resolve))

    const { waiting, release } = await delayCommits(database)
    const first = client.appendToStream(`${category}-a`, note('First'))
    await waiting()
    const later = ['Second', 'Third'].map((type) => client.appendToStream(`${category}-${type}`, note(type)))
    const appends = watch([first, ...later])
    const reads = await Promise.all([all(client.readAll()), all(client.readAll())])
    expect(reads.flat().filter(({ streamId }) => streamId.startsWith(category))).toEqual([])
    await expect(all(client.readStream(`${category}-Second`))).rejects.toMatchObject({ type: 'stream-not-found' })
    expect([appends.settled, live]).toEqual([0, []])

    await release()
    const positions = (await Promise.all([first, ...later])).map(({ position }) => position!.commit)
    expect(positions[0]! < positions[1]! && positions[0]! < positions[2]!).toBe(true)
    await until('the follower has all three', () => live.length === 3)
    expect(live[0]).toBe('First')
    expect(typesOf(await all(client.readAll())).slice(-3)).toEqual(live)
    await following.unsubscribe()
  })

  test('a removal that comes after its deadline is not done', async () => {
    target = await openEmbedded()
    const { client, database } = target
    const streams = [newStream(), newStream()] as const
    for (const stream of streams) await client.appendToStream(stream, note('Kept'))
    const { waiting, release } = await delayCommits(database)
    const first = client.appendToStream(newStream(), note('First'))
    await waiting()
    const late = { deadline: 50 }
    const removals = [client.tombstoneStream(streams[0], late), client.deleteStream(streams[1], late)]
    for (const removal of removals) await expect(removal).rejects.toBeInstanceOf(DeadlineExceededError)
    await release()
    await first
    await client.appendToStream(newStream(), note('Later'))
    for (const stream of streams) expect(typesOf(await all(client.readStream(stream)))).toEqual(['Kept'])
  })

  test('a writer cut off in its commit never acknowledges, and the same append then stands once', async () => {
    target = await openEmbedded()
    const { client, database } = target
    const [stream, event] = [newStream(), note('Cut')]
    const { waiting, release } = await delayCommits(database)
    const cut = client.appendToStream(stream, event, { expectedRevision: NO_STREAM }).catch((error) => error)
    const backend = await waiting()
    await database.run('select pg_terminate_backend($1)', [backend])
    expect(await cut).toBeInstanceOf(UnavailableError)
    await release()
    await until('the server writes again', () => target.server().ready())
    const again = await client.appendToStream(stream, event, { expectedRevision: NO_STREAM })
    expect(again.nextExpectedRevision).toBe(0n)
    expect(await all(client.readStream(stream))).toHaveLength(1)
  })

  test('a commit that Postgres refuses is acknowledged to nobody and leaves no gap', async () => {
    target = await openEmbedded()
    const { client, database } = target
    const stream = newStream()
    const before = await client.appendToStream(newStream(), note('Before'))
    await database.run(REFUSE_POISON)
    const poison = client
      .appendToStream(stream, note('Poison'), { expectedRevision: NO_STREAM })
      .catch((error) => error)
    expect(await poison).toBeInstanceOf(UnavailableError)
    const after = await client.appendToStream(stream, note('After'), { expectedRevision: NO_STREAM })
    expect(after.nextExpectedRevision).toBe(0n)
    expect(after.position!.commit).toBe(before.position!.commit + 1n)
    expect(typesOf(await all(client.readAll()))).toEqual(['Before', 'After'])
  })

  test('while Postgres is away the server is not ready, and appends that waited are done when it is back', async () => {
    target = await openEmbedded()
    const { client, database, server } = target
    const stream = newStream()
    await client.appendToStream(stream, note('Before'))
    const name = database.config.database!
    const elsewhere = { ...database.config, database: 'postgres' }
    await runIn(elsewhere, `alter database ${name} allow_connections false`)
    await runIn(elsewhere, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    await until('the loss is noticed', () => !server().ready())
    const waiting = client.appendToStream(stream, note('Waited'), { expectedRevision: 0n })
    await expect(all(client.readStream(stream))).rejects.toThrow()
    await runIn(elsewhere, `alter database ${name} allow_connections true`)
    expect((await waiting).nextExpectedRevision).toBe(1n)
    expect(server().ready()).toBe(true)
    expect(typesOf(await all(client.readStream(stream)))).toEqual(['Before', 'Waited'])
  })
})
