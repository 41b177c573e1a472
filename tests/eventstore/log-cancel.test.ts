import { afterEach, beforeEach, expect, test } from 'vitest'
import { memberDecider } from '../../domain/identity/member.ts'
import { START } from '../../domain/shared/recorded.ts'
import { createCodec } from '../../eventstore/codec.ts'
import { createDispatch } from '../../eventstore/dispatch.ts'
import { createFeed } from '../../eventstore/feed.ts'
import type { KeyRing } from '../../eventstore/keys.ts'
import { type Log, LogUnavailable, openLog } from '../../eventstore/log.ts'
import { type SilentServer, silentServer } from '../support/servers/silent-log.ts'
import { until } from '../support/until.ts'

let server: SilentServer
let log: Log
beforeEach(async () => {
  server = await silentServer()
  log = openLog({ connectionString: server.connectionString, answerMs: 100, giveUpMs: 200 })
})
afterEach(async () => {
  await log.close()
  server.stop()
})
const nothingOpen = () => until('no call is open', () => server.open.size === 0)

/** No event comes, so none is decoded and no key is asked for. */
const unused = { onForget: () => undefined } as unknown as KeyRing
const stateOf = (signal?: AbortSignal) =>
  createDispatch({ log, codec: createCodec(unused), keys: unused }).loadState(memberDecider, 'nobody', signal)

const reads: Record<string, (signal?: AbortSignal) => Promise<unknown>> = {
  'of a stream': (signal) => log.read('pair-a_b', 0, signal),
  'of a page': (signal) => log.readAll(START, 10, signal),
  'of the head': (signal) => log.head(signal),
  'of a state': (signal) => stateOf(signal),
}
for (const [what, read] of Object.entries(reads)) {
  test(`a read ${what} that gets no answer in time leaves no call open`, async () => {
    await expect(read()).rejects.toThrow(LogUnavailable)
    expect(server.taken()).toBeGreaterThan(0)
    await nothingOpen()
  })

  test(`a read ${what} ends at once when its signal aborts, and leaves no call open`, async () => {
    const stop = new AbortController()
    const reading = read(stop.signal)
    reading.catch(() => undefined)
    await until('the server has the call', () => server.open.size === 1)
    stop.abort(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
    await nothingOpen()
    expect(server.taken()).toBe(1)
  })
}

test('a read of an earlier position that gets no answer leaves no call open', async () => {
  await expect(log.earlierPosition(1, new Date())).rejects.toThrow(LogUnavailable)
  await nothingOpen()
})

test('a follower that was never answered ends at once when it is cancelled, and so does a closing log', async () => {
  const stop = new AbortController()
  const follow = async () => {
    for await (const _ of log.follow(START, stop.signal)) expect.fail('There are no events.')
  }
  const following = follow()
  await until('the server has the call', () => server.open.size === 1)
  stop.abort()
  await following
  await nothingOpen()
  const asked = log.head()
  asked.catch(() => undefined)
  await until('the server has the call', () => server.open.size === 1)
  await log.close()
  await expect(asked).rejects.toThrow('the log is closed')
  await nothingOpen()
})

test('a feed whose log says nothing lets its followers go, and closes', async () => {
  const feed = createFeed(log)
  const stop = new AbortController()
  const followers = [START, START].map(async (after) => {
    for await (const _ of feed.follow(after, stop.signal)) expect.fail('There are no events.')
  })
  await until('the server has the call', () => server.open.size === 1)
  stop.abort()
  await Promise.all(followers)
  await feed.close()
  await nothingOpen()
})
