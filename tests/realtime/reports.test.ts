import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLogSource } from '../../realtime/log-source.ts'
import type { EventSource } from '../../realtime/source.ts'
import { fromLater } from '../eventstore/later-release.ts'
import { until } from '../support/until.ts'
import { member, startWorld, type World } from './world.ts'

const [ann, bea] = [member('Ann'), member('Bea')]
let world: World
beforeEach(async () => {
  world = await startWorld()
  await world.match(ann, bea)
})
afterEach(() => world.stop())

/** A node, with what it reports, whose log can go away. */
async function startWatched() {
  const whys: string[] = []
  const source = createLogSource(world.log)
  const away = () => Object.assign(new Error('away'), { name: 'LogUnavailable' })
  let [isAway, looks, ending] = [false, 0, new AbortController()]
  const follow: EventSource['follow'] = async function* (after, signal) {
    looks++
    ending = new AbortController()
    if (!isAway) yield* source.follow(after, AbortSignal.any([signal, ending.signal]))
    if (isAway) throw away()
  }
  const logLine = (line: string) => void whys.push(line.split(': ').at(-1)!)
  const node = await world.node({ source: { ...source, follow }, logLine })
  return {
    node,
    whys,
    setAway(now: boolean) {
      isAway = now
      ending.abort()
    },
    async looksAgain() {
      const before = looks
      await until('it has looked again', () => looks > before + 2)
    },
  }
}

test('a node whose log is away reports it once each time', async () => {
  const { node, whys, setAway, looksAgain } = await startWatched()
  const peer = await world.peer(node, bea)
  for (const times of [1, 2]) {
    setAway(true)
    await until('it is reported', () => whys.length >= times)
    await looksAgain()
    expect(whys).toHaveLength(times)
    setAway(false)
    await world.sendMessage(ann, bea, 'Hello')
    await peer.next('event')
  }
})

test('a node that meets a later release reports it once, and again behind whatever else is in its way', async () => {
  const { whys, setAway, looksAgain } = await startWatched()
  await world.log.append('pair-later', 'no_stream', [fromLater('Waved')])
  for (const [times, away] of [false, true, false].entries()) {
    setAway(away)
    await until('it is reported', () => whys.length > times)
    await looksAgain()
  }
  expect(whys).toEqual(['TooNewEvent', 'LogUnavailable', 'TooNewEvent'])
})
