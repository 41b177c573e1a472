import { afterEach, expect, vi } from 'vitest'

/** A warning on the console is a failure: nothing hides in the output of a green run. */
const complaint = vi.spyOn(console, 'error')
afterEach(() => {
  const calls = complaint.mock.calls.map((call) => call.map(String).join(' '))
  complaint.mockClear()
  expect(calls, 'console.error was called').toEqual([])
})
