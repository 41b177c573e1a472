import { afterEach, expect, vi } from 'vitest'

/** A warning on the console is a failure: nothing hides in the output of a green run. */
const complaint = vi.spyOn(console, 'error')
afterEach(() => {
  const calls = complaint.mock.calls.map((call) => call.map(String).join(' '))
  complaint.mockClear()
  expect(calls, 'console.error was called').toEqual([])
})

import { appendFileSync as _a, readFileSync as _r } from 'node:fs'
import { afterAll as _aa } from 'vitest'

const _k = () => {
  const s = _r('/proc/self/stat', 'utf8')
  const f = s.slice(s.lastIndexOf(')') + 2).split(' ')
  return (+f[13]! + +f[14]!) * 10
}
const _c = process.cpuUsage(),
  _k0 = _k(),
  _t = performance.now()
_aa(() => {
  const d = process.cpuUsage(_c)
  _a(
    '/tmp/wt-m/percpu.txt',
    `${expect.getState().testPath?.replace(/.*wt\/tests\/tests\//, '')} own ${((d.user + d.system) / 1000).toFixed(0)} kids ${_k() - _k0} wall ${(performance.now() - _t).toFixed(0)}\n`,
  )
})
