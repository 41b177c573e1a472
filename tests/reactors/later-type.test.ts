import { expect, onTestFinished, test } from 'vitest'
import { createFeed, type Feed } from '../../eventstore/feed.ts'
import type { AnyReactor } from '../../reactors/reactor.ts'
import { createReactors } from '../../reactors/run.ts'
import { fromLater } from '../eventstore/later-release.ts'
import { startEngineRig } from '../projections/engine-rig.ts'
import { until } from '../support/until.ts'

const reactor: AnyReactor<object> = { name: 'quiet', on: ['MessageSent'], react: async () => undefined }

/** `away`: as when the log cannot be followed. `looks`: how often it was tried. */
async function started() {
  const { log, codec, pool, stop } = await startEngineRig()
  const shared = createFeed(log)
  const state = { looks: 0, away: false }
  const follow: Feed['follow'] = (from, signal) => {
    state.looks++
    if (state.away) throw Object.assign(new Error('away'), { name: 'LogUnavailable' })
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
    report: (_, text, { why }) => void lines.push(`${text}: ${why}`),
  })
  onTestFinished(async () => {
    await reactors.stop()
    await shared.close()
    await stop()
  })
  await reactors.start()
  return { reactors, lines, state, log, pool }
}

const looksAgain = (state: { looks: number }) => {
  const { looks } = state
  return until('it has looked again', () => state.looks > looks + 3)
}

test('a reactor that stops at a type of a later release says so once, and that it was outgrown', async () => {
  const { reactors, lines, state, log } = await started()
  expect(reactors.outgrown()).toBe(false)
  await log.append('pair-later', 'no_stream', [fromLater('Waved')])
  await looksAgain(state)
  expect(reactors.outgrown()).toBe(true)
  expect(lines).toHaveLength(1)
})

test('a reactor is outgrown until another process has gone by what it stopped at, and says so each time', async () => {
  const { reactors, lines, log, pool } = await started()
  for (const times of [1, 2]) {
    await log.append(`pair-later${times}`, 'no_stream', [fromLater('Waved')])
    await until('it is outgrown', () => reactors.outgrown())
    await pool.query('update app.reactor set position = $1', [await log.end()])
    await until('it is not', () => !reactors.outgrown())
    expect(lines).toHaveLength(times)
  }
})

test('a reactor that is outgrown stays so while its log is away', async () => {
  const { reactors, lines, state, log } = await started()
  await log.append('pair-later', 'no_stream', [fromLater('Waved')])
  await until('it is outgrown', () => reactors.outgrown())
  state.away = true
  await until('it is away', () => lines.at(-1)?.endsWith('LogUnavailable'))
  expect(reactors.outgrown()).toBe(true)
})

test('a reactor that was outgrown once reports its next wait once', async () => {
  const { reactors, lines, state, log, pool } = await started()
  await log.append('pair-later', 'no_stream', [fromLater('Waved')])
  await until('it is outgrown', () => reactors.outgrown())
  state.away = true
  await pool.query('update app.reactor set position = $1', [await log.end()])
  await until('it is not', () => !reactors.outgrown())
  const before = lines.length
  await looksAgain(state)
  expect(lines.length).toBeLessThan(before + 2)
})
