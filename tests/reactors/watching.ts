import { onTestFinished } from 'vitest'
import { createFeed, type Feed } from '../../eventstore/feed.ts'
import type { AnyReactor } from '../../reactors/reactor.ts'
import { createReactors } from '../../reactors/run.ts'
import { startEngineRig } from '../projections/engine-rig.ts'
import { until } from '../support/until.ts'

const reactor: AnyReactor<object> = { name: 'quiet', on: ['MessageSent'], react: async () => undefined }

/** A reactor of messages. `away`: as when the log cannot be followed. `looks`: how often it was tried. Each event comes by itself. */
export async function startWatching({ noteMs }: { noteMs?: number } = {}) {
  const { log, codec, pool, append, stop } = await startEngineRig()
  const shared = createFeed(log)
  const state = { looks: 0, away: false }
  const follow: Feed['follow'] = async function* (from, signal) {
    state.looks++
    if (state.away) throw Object.assign(new Error('away'), { name: 'LogUnavailable' })
    for await (const batch of shared.follow(from, signal)) for (const event of batch) yield [event]
  }
  const lines: string[] = []
  const reactors = createReactors({
    log,
    feed: { ...shared, follow },
    codec,
    pool,
    reactors: [reactor],
    act: {},
    ...(noteMs !== undefined && { noteMs }),
    report: (_, text, { why }) => void lines.push(`${text}: ${why}`),
  })
  onTestFinished(async () => {
    await reactors.stop()
    await shared.close()
    await stop()
  })
  await reactors.start()
  return { reactors, lines, state, log, pool, append }
}

export const looksAgain = (state: { looks: number }) => {
  const { looks } = state
  return until('it has looked again', () => state.looks > looks + 3)
}
