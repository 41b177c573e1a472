import { afterEach, beforeEach, expect, test } from 'vitest'
import { Leases } from '../../../projections/engine/leases.ts'
import { until } from '../../support/until.ts'
import { type EngineRig, startEngineRig } from '../engine-rig.ts'

const ROUNDS = 50
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** Signals made of this one by `AbortSignal.any`: Node keeps an entry of each for as long as this one lives. */
const madeOf = (signal: AbortSignal): number => {
  const kept = Object.getOwnPropertySymbols(signal).find(({ description }) => description === 'kDependantSignals')
  return kept ? (((signal as never)[kept] as Set<unknown> | undefined)?.size ?? 0) : 0
}

test('a round of the leases leaves nothing on the signal that outlives it', async () => {
  const stop = new AbortController()
  const [change, error] = [() => undefined, () => undefined]
  const leases = new Leases(rig.config, [], { change, error, condition: async () => 'keeps up' })
  const running = leases.run(stop.signal)
  for (let round = 0; round < ROUNDS; round++) {
    leases.want(`model ${round}`)
    await until('the round is over', () => leases.of(`model ${round}`) !== undefined)
  }
  const left = madeOf(stop.signal)
  stop.abort()
  await running
  expect(left).toBeLessThan(3)
})
