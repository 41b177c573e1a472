import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { until } from '../support/until.ts'
import { member, startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const HOUR_MS = 3_600_000
test.each([
  ['back by an hour', -HOUR_MS],
  ['on by an hour', HOUR_MS],
])('a clock that is set %s keeps no heartbeat from a socket, and cuts none', async (how, byMs) => {
  const who = member(`Ann ${how}`)
  await world.join(who)
  const node = await world.node({ limits: { heartbeatMs: 500 } })
  const peer = await world.peer(node, who)
  const beats = () => peer.frames.filter(({ type }) => type === 'heartbeat').length
  await until('a heartbeat', () => beats() > 1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs })
  onTestFinished(() => void vi.useRealTimers())
  const before = beats()
  const answering = setInterval(() => peer.send({ type: 'heartbeat' }), 200)
  onTestFinished(() => clearInterval(answering))
  const start = performance.now()
  while (beats() < before + 2 && performance.now() - start < 8_000) await new Promise(setImmediate)
  expect(beats()).toBeGreaterThan(before + 1)
  expect(peer.closeCode).toBeUndefined()
})
