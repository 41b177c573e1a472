import { expect, onTestFinished, test, vi } from 'vitest'
import { AT_ONCE, Loader } from '../../../realtime/rights/loader.ts'
import { member } from '../world.ts'

test('look-ups that nobody waits for any more count among the four at work', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let asked = 0
  const loader = new Loader(() => {
    asked++
    return new Promise(() => undefined)
  })
  const given: string[] = []
  for (let n = 0; n < 8; n++) {
    const members = Array.from({ length: AT_ONCE }, (_, k) => member(`Waits ${n} ${k}`))
    loader.ask({ members, accounts: [] }).catch((error: Error) => given.push(error.name))
    await vi.advanceTimersByTimeAsync(11_000)
  }
  expect(asked).toBe(4)
  expect(given).toHaveLength(4)
})
