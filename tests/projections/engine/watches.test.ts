import { expect, test } from 'vitest'
import type { StoredEvent } from '../../../eventstore/events.ts'
import { pauseProjection, watchPaused } from '../../../projections/engine/care/pause.ts'
import { createHeadFollower } from '../../../projections/engine/head-watch.ts'
import { positionAt } from '../../support/recorded.ts'
import { until } from '../../support/until.ts'
import { startEngineRig } from '../engine-rig.ts'

test('why the head of the log is not watched is reported, once each time', async () => {
  const ending = new AbortController()
  const reports: string[] = []
  let tries = 0
  const stored = { position: positionAt(1), recordedAt: new Date() } as StoredEvent
  // Lost three times, there, lost twice, there.
  async function* follow() {
    tries++
    if (tries !== 4 && tries < 7) throw new Error(`lost ${tries}`)
    yield [stored]
  }
  const headOf = async () => {
    if (tries === 0) throw new Error(`lost ${tries++}`)
    return positionAt(0)
  }
  const onLost = (error: unknown) => void reports.push((error as Error).message)
  const running = createHeadFollower({
    feed: { follow, isBroken: () => false },
    headOf,
    signal: ending.signal,
    onLost,
  }).run()
  await until('it was there twice', () => tries > 7)
  ending.abort()
  await running
  expect(reports).toEqual(['lost 0', 'lost 5'])
})

test('that it is not known what is paused is reported, once each time, and what is paused shows again after it', async () => {
  const rig = await startEngineRig()
  const ending = new AbortController()
  const [reports, seen]: [string[], string[]] = [[], []]
  let asked = 0
  const db = {
    query: (...args: Parameters<typeof rig.pool.query>) => {
      asked++
      if (asked < 3 || asked === 4) throw new Error(`lost ${asked}`)
      return rig.pool.query(...args)
    },
  } as typeof rig.pool
  await pauseProjection(rig.pool, 'lines')
  const running = watchPaused(
    db,
    ending.signal,
    (paused) => void seen.push([...paused.keys()].join()),
    (error) => void reports.push((error as Error).message),
  )
  await until('it was seen twice', () => seen.length === 2)
  ending.abort()
  await running
  expect(seen).toEqual(['lines', 'lines'])
  expect(reports).toEqual(['lost 1', 'lost 4'])
  await rig.stop()
})
