import { expect, test } from 'vitest'
import { fromLater } from '../eventstore/later-release.ts'
import { until } from '../support/until.ts'
import { looksAgain, startWatching } from './watching.ts'

test('a reactor that stops at a type of a later release says so once, and that it was outgrown', async () => {
  const { reactors, lines, state, log } = await startWatching()
  expect(reactors.outgrown()).toBe(false)
  await log.append('pair-later', 'no_stream', [fromLater('Waved')])
  await looksAgain(state)
  expect(reactors.outgrown()).toBe(true)
  expect(lines).toHaveLength(1)
})

test('a reactor is outgrown until another process has gone by what it stopped at, and says so each time', async () => {
  const { reactors, lines, log, pool } = await startWatching()
  for (const times of [1, 2]) {
    await log.append(`pair-later${times}`, 'no_stream', [fromLater('Waved')])
    await until('it is outgrown', () => reactors.outgrown())
    await pool.query('update app.reactor set position = $1', [await log.end()])
    await until('it is not', () => !reactors.outgrown())
    expect(lines).toHaveLength(times)
  }
})

test('a reactor that is outgrown stays so while its log is away', async () => {
  const { reactors, lines, state, log } = await startWatching()
  await log.append('pair-later', 'no_stream', [fromLater('Waved')])
  await until('it is outgrown', () => reactors.outgrown())
  state.away = true
  await until('it is away', () => lines.at(-1)?.endsWith('LogUnavailable'))
  expect(reactors.outgrown()).toBe(true)
})

test('a reactor that was outgrown once reports its next wait once', async () => {
  const { reactors, lines, state, log, pool } = await startWatching()
  await log.append('pair-later', 'no_stream', [fromLater('Waved')])
  await until('it is outgrown', () => reactors.outgrown())
  state.away = true
  await pool.query('update app.reactor set position = $1', [await log.end()])
  await until('it is not', () => !reactors.outgrown())
  const before = lines.length
  await looksAgain(state)
  expect(lines.length).toBeLessThan(before + 2)
})
