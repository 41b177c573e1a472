import { expect, onTestFinished, test } from 'vitest'
import { createFeed, type Feed } from '../../eventstore/feed.ts'
import type { AnyReactor } from '../../reactors/reactor.ts'
import { createReactors } from '../../reactors/run.ts'
import { fromLater } from '../eventstore/later-release.ts'
import { startEngineRig } from '../projections/engine-rig.ts'
import { until } from '../support/until.ts'

const reactor: AnyReactor<object> = { name: 'quiet', on: ['MessageSent'], react: async () => undefined }

test('a reactor that stops at a type of a later release says so once, and that it was outgrown', async () => {
  const { log, codec, pool, stop } = await startEngineRig()
  const shared = createFeed(log)
  let looks = 0
  const follow: Feed['follow'] = (from, signal) => {
    looks++
    return shared.follow(from, signal)
  }
  const lines: string[] = []
  const reactors = createReactors({
    log,
    feed: { ...shared, follow },
    codec,
    pool,
    reactors: [reactor],
    act: {},
    report: (_, text) => void lines.push(text),
  })
  onTestFinished(async () => {
    await reactors.stop()
    await shared.close()
    await stop()
  })
  await reactors.start()
  expect(reactors.outgrown()).toBe(false)
  await log.append('pair-later', 'no_stream', [fromLater('Waved')])
  await until('it has looked again', () => looks > 4)
  expect(reactors.outgrown()).toBe(true)
  expect(lines).toHaveLength(1)
})
