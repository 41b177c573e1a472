import { DeadlineExceededError, StreamNotFoundError, TimeoutError, UnavailableError } from '@eventstore/db-client'
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js'
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js'
import messages from '@eventstore/db-client/generated/streams_pb.js'
import { credentials } from '@grpc/grpc-js'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { until } from '../support/until.ts'
import { delayCommits } from './delayed-commit.ts'
import { healthOf } from './health-of.ts'
import { all, asError, type EmbeddedTarget, newStream, note, openEmbedded, REAL_LOG, typesOf } from './log-target.ts'
import { GOOD, identifierOf, rawMessages } from './raw-append.ts'

const CLASSIC = { credentials: { username: 'admin', password: 'changeit' } }
const WAYS = [
  ['batch', {}],
  ['classic', CLASSIC],
] as const
const UNAVAILABLE = 14
const WRITE_TIMEOUT_MS = 400
const WRITER = "select pid from pg_stat_activity where datname = current_database() and query = 'select 1 as alive'"

let target: EmbeddedTarget
const client = () => target.client

/** A connection of one's own to the server. */
function rawClient() {
  const raw = new streamsService.StreamsClient(`127.0.0.1:${target.server().port}`, credentials.createInsecure())
  onTestFinished(() => raw.close())
  return raw
}

/** Resolves when the server has seen what was sent before. */
const seen = (raw: ReturnType<typeof rawClient>) =>
  new Promise<void>((resolve) => {
    const append = raw.append(() => resolve())
    append.on('error', () => {})
    append.end()
  })

/** Resolves once an append succeeds again. */
const writable = () =>
  until('it can be written', () =>
    client()
      .appendToStream(newStream(), note('Later'))
      .catch(() => false),
  )

describe.skipIf(REAL_LOG)('while Postgres does not answer', () => {
  beforeEach(async () => {
    target = await openEmbedded({ writeTimeoutMs: WRITE_TIMEOUT_MS })
  })
  afterEach(() => target.close())
  test.each(WAYS)('a %s append is answered at its deadline', async (_name, how) => {
    const { waiting, release } = await delayCommits(target.database)
    const late = client()
      .appendToStream(newStream(), note('A'), { deadline: 200, ...how })
      .catch(asError)
    await waiting()
    expect(await late).toSatisfy((error) => error instanceof DeadlineExceededError || error instanceof TimeoutError)
    await release()
  })

  test.each(WAYS)('a %s append is answered when the log’s own time is over', async (_name, how) => {
    const { waiting, release } = await delayCommits(target.database)
    const stream = newStream()
    const late = client().appendToStream(stream, note('A'), how).catch(asError)
    await waiting()
    expect(await late).toSatisfy((error) => error instanceof DeadlineExceededError || error instanceof TimeoutError)
    await release()
    // It was under way: what came of it is for its writer to look up.
    await until('it stands', () => all(client().readStream(stream)).catch(() => false))
  })

  test('what was answered while it waited is not done later', async () => {
    const { waiting, release } = await delayCommits(target.database)
    const first = client().appendToStream(newStream(), note('First')).catch(asError)
    await waiting()
    const streams = [newStream(), newStream()] as const
    const late = await Promise.all(
      streams.map((stream, index) => client().appendToStream(stream, note('Late'), WAYS[index]![1]).catch(asError)),
    )
    for (const error of late) expect(error).toBeInstanceOf(Error)
    await release()
    await first
    await writable()
    for (const stream of streams)
      expect(await all(client().readStream(stream)).catch(asError)).toBeInstanceOf(StreamNotFoundError)
  })

  test.each(['delete', 'tombstone'] as const)('a %s that was called off while it waited is not done', async (what) => {
    const stream = newStream()
    await client().appendToStream(stream, note('Kept'))
    const { waiting, release } = await delayCommits(target.database)
    const first = client().appendToStream(newStream(), note('First'), { deadline: 60_000 }).catch(asError)
    await waiting()
    const raw = rawClient()
    const name = identifierOf(stream)
    const any = new sharedMessages.Empty()
    const ended = new Promise((resolve) => {
      const call =
        what === 'delete'
          ? raw.delete(
              new messages.DeleteReq().setOptions(
                new messages.DeleteReq.Options().setStreamIdentifier(name).setAny(any),
              ),
              resolve,
            )
          : raw.tombstone(
              new messages.TombstoneReq().setOptions(
                new messages.TombstoneReq.Options().setStreamIdentifier(name).setAny(any),
              ),
              resolve,
            )
      void seen(raw).then(() => call.cancel())
    })
    await ended
    await seen(raw)
    await release()
    await first
    await writable()
    expect(typesOf(await all(client().readStream(stream)))).toEqual(['Kept'])
  })

  test('a write that hangs makes the server not ready, until it is done', async () => {
    const health = healthOf(target.server().port)
    onTestFinished(() => health.close())
    const { waiting, release } = await delayCommits(target.database)
    const late = client().appendToStream(newStream(), note('A')).catch(asError)
    await waiting()
    await until('the server is not ready', () => !target.server().ready())
    expect(await health.serving()).toBe(false)
    await late
    expect(await health.serving()).toBe(false)
    await release()
    await until('the server is ready', () => target.server().ready())
    expect(await health.serving()).toBe(true)
  })

  test('a writing connection that is silent shows in health though nobody writes', async () => {
    const health = healthOf(target.server().port)
    onTestFinished(() => health.close())
    expect(await health.serving()).toBe(true)
    const [writer] = (await target.database.run(WRITER)).rows
    process.kill(writer.pid, 'SIGSTOP')
    try {
      expect(await health.serving()).toBe(false)
    } finally {
      process.kill(writer.pid, 'SIGCONT')
    }
    await until('the server serves', () => health.serving())
  })
})

describe.skipIf(REAL_LOG)('a server that stops while Postgres does not answer', () => {
  test('answers what is under way as unavailable', async () => {
    target = await openEmbedded()
    onTestFinished(() => target.close())
    const stream = newStream()
    await client().appendToStream(stream, note('A'))
    const { waiting, release } = await delayCommits(target.database)
    const under = [
      client().appendToStream(newStream(), note('Batch')),
      client().appendToStream(newStream(), note('Classic'), CLASSIC),
      client().deleteStream(stream),
      client().tombstoneStream(newStream()),
    ].map((call) => call.catch(asError))
    await waiting()
    const half = new Promise<unknown>((resolve) => {
      const raw = rawClient()
      const call = raw.append((error) => resolve(error))
      call.on('error', () => {})
      for (const message of rawMessages(newStream(), { properties: GOOD })) call.write(message)
      void seen(raw).then(() => target.server().stop())
    })
    expect(await half).toMatchObject({ code: UNAVAILABLE })
    for (const answer of await Promise.all(under)) expect(answer).toBeInstanceOf(UnavailableError)
    await release()
  })
})
