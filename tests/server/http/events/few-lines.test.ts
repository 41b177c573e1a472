import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fewLines } from '../../../../server/http/few-lines.ts'
import { type SecurityEvent, securityLog } from '../../../../server/http/security-events.ts'
import type { LogFields } from '../../../../services/log.ts'

type Written = readonly [line: string, leftOut: number]
let written: Written[]
let write: (key: string, line?: string) => void
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  written = []
  const few = fewLines<string>((line, leftOut) => void written.push([line, leftOut]))
  write = (key, line = key) => few(key, line)
})
afterEach(() => vi.useRealTimers())

const times = (count: number, one: (n: number) => void) => Array.from({ length: count }, (_, n) => n).forEach(one)
const minute = () => vi.advanceTimersByTime(60_000)

test('each key has twenty lines a minute, and then the last one that was left out, with how many others were', () => {
  times(50, (n) => write('one', `${n}`))
  write('other')
  expect(written).toEqual([...Array.from({ length: 20 }, (_, n) => [`${n}`, 0]), ['other', 0]])
  minute()
  expect(written.slice(21)).toEqual([['49', 29]])
  minute()
  expect(written).toHaveLength(22)
  times(21, () => write('one'))
  expect(written).toHaveLength(42)
})

test('a clock that is set back leaves nothing out', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  write('one')
  vi.setSystemTime(Date.now() - 86_400_000)
  minute()
  times(20, () => write('one'))
  expect(written).toHaveLength(21)
})

test('a crowd of keys is logged with an end: beyond a thousand in one minute they share the lines of one', () => {
  times(5_000, (n) => write(`of ${n}`))
  expect(written).toHaveLength(1_020)
  times(50, () => write('of 0'))
  expect(written).toHaveLength(1_039)
  minute()
  expect(written.slice(1_039)).toEqual([
    ['of 0', 30],
    ['of 4999', 3_979],
  ])
})

/** A log of security events, and the fields of its lines. */
function securityEvents() {
  const lines: LogFields[] = []
  const line = (_: string, fields: LogFields = {}) => void lines.push(fields)
  const note = securityLog({ debug: line, info: line, warn: line, error: line }, (text) => text)
  const happens = (kind: SecurityEvent, who: string | null = null, network = '192.0.2.7') =>
    note({ kind, network, who, route: null })
  return { lines, happens }
}

test.each(['denied', 'limit-hit', 'login-failed', 'code-failed'] as const)('a flood of %s is a few lines', (kind) => {
  const { lines, happens } = securityEvents()
  times(200, () => happens(kind))
  expect(lines).toHaveLength(20)
  minute()
  expect(lines).toHaveLength(21)
  expect(lines.at(-1)).toMatchObject({ kind, count: 179, where: 'network 192.0.2.7' })
})

test('a flood hides neither what comes to an account from its network nor events of another kind', () => {
  const { lines, happens } = securityEvents()
  times(2_000, (n) => happens('denied', null, `192.0.2.${n}`))
  times(200, () => happens('login-failed'))
  lines.length = 0
  happens('login-failed', 'ann')
  happens('code-failed')
  happens('login', 'ann')
  expect(lines.map(({ kind, who }) => [kind, who])).toEqual([
    ['login-failed', 'who ann'],
    ['code-failed', undefined],
    ['login', 'who ann'],
  ])
})
