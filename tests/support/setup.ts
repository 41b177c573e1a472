import { afterAll, afterEach, expect, vi } from 'vitest'
import { holdFetch, takeComplaints } from './described/hold.ts'

/** A warning on the console is a failure: nothing hides in the output of a green run. */
const complaint = vi.spyOn(console, 'error')
afterEach(() => {
  const calls = complaint.mock.calls.map((call) => call.map(String).join(' '))
  complaint.mockClear()
  expect(calls, 'console.error was called').toEqual([])
})

/** So is an answer that the description of the calls has otherwise. */
holdFetch()
const holds = () => expect(takeComplaints(), 'answers hold to /openapi.json').toEqual([])
afterEach(holds)
afterAll(holds)
