import { expect, onTestFinished, test, vi } from 'vitest'
import { type GracefulStopOptions, gracefulStop, type StopStep } from '../../server/embedded/lifecycle/graceful-stop.ts'

/** Without leaving handlers on the test's own process. */
function armed(steps: StopStep[], options: GracefulStopOptions = {}) {
  const codes: number[] = []
  const before = process.listeners('SIGINT')
  const stop = gracefulStop(steps, { ...options, exit: (code) => void codes.push(code) })
  onTestFinished(() => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      const last = process.listeners(signal).at(-1)
      if (last && !before.includes(last)) process.off(signal, last)
    }
  })
  return { stop, codes }
}

test('parts stop one after the other, the last started first', async () => {
  const order: string[] = []
  const step = (name: string): StopStep => ({ name, stop: async () => void order.push(name) })
  const steps = [step('postgres')]
  const { stop, codes } = armed(steps)
  steps.push(step('web'))
  await stop()
  expect(order).toEqual(['web', 'postgres'])
  expect(codes).toEqual([0])
})

test('a part that fails to stop does not keep the others from it', async () => {
  const stopped: string[] = []
  const logged: string[] = []
  const { stop, codes } = armed(
    [
      { name: 'postgres', stop: async () => void stopped.push('postgres') },
      { name: 'web', stop: () => Promise.reject(new Error('busy')) },
    ],
    { log: (_level, text) => void logged.push(text) },
  )
  await stop()
  expect(stopped).toEqual(['postgres'])
  expect(logged).toEqual(['Stopping web failed: busy'])
  expect(codes).toEqual([1])
})

test('a part that hangs is left behind when the time is over', async () => {
  const { stop, codes } = armed([{ name: 'web', stop: () => new Promise(() => undefined) }], { withinMs: 20 })
  await stop()
  expect(codes).toEqual([1])
})

test('the first signal stops in order, the second at once', () => {
  const { codes } = armed([{ name: 'web', stop: () => new Promise(() => undefined) }], { withinMs: 1_000 })
  const handler = process.listeners('SIGINT').at(-1)
  handler?.('SIGINT')
  expect(codes).toEqual([])
  handler?.('SIGINT')
  expect(codes).toEqual([130])
})

test('the echo of a signal is no second one', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { codes } = armed([{ name: 'web', stop: () => new Promise(() => undefined) }], { withinMs: 1_000, echoMs: 250 })
  const handler = process.listeners('SIGINT').at(-1)
  handler?.('SIGINT')
  vi.advanceTimersByTime(249)
  handler?.('SIGINT')
  expect(codes).toEqual([])
  vi.advanceTimersByTime(250)
  handler?.('SIGINT')
  expect(codes).toEqual([130])
})
