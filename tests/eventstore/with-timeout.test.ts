import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { AnswerLost, withTimeout } from '../../eventstore/retry.ts'

const LONG_MS = 60_000
const never = () => new Promise<never>(() => {})
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

describe('an answer that nobody can call off', () => {
  it('is lost after its time, and leaves nothing on the signal that outlives it', async () => {
    const closing = new AbortController()
    await expect(withTimeout(never(), 1, closing.signal)).rejects.toThrow(AnswerLost)
    expect(getEventListeners(closing.signal, 'abort')).toEqual([])
  })

  it('is waited for no longer once the signal ends, and leaves no timer', async () => {
    const closing = new AbortController()
    const before = timers()
    const answer = withTimeout(never(), LONG_MS, closing.signal)
    closing.abort(new Error('closed'))
    await expect(answer).rejects.toThrow('closed')
    expect([timers(), getEventListeners(closing.signal, 'abort')]).toEqual([before, []])
  })

  it('is not waited for where the signal has ended', async () => {
    const answer = withTimeout(never(), LONG_MS, AbortSignal.abort(new Error('closed')))
    await expect(answer).rejects.toThrow('closed')
  })

  it('comes through, and leaves nothing', async () => {
    const closing = new AbortController()
    const before = timers()
    expect(await withTimeout(Promise.resolve('stored'), LONG_MS, closing.signal)).toBe('stored')
    expect([timers(), getEventListeners(closing.signal, 'abort')]).toEqual([before, []])
  })
})
