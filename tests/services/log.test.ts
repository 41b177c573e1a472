import { expect, test } from 'vitest'
import { createLogger, errorFields, type LogFields } from '../../services/log.ts'

function logged() {
  const lines: string[] = []
  const log = createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } })
  return { log, lines }
}

test('a line holds what is on the list', () => {
  const { log, lines } = logged()
  log.info('A request was answered.', { requestId: 'r1', route: '/chat/:userId', status: 200, ms: 12.5 })
  const { time, ...line } = JSON.parse(lines[0] ?? '{}')
  expect(line).toEqual({
    level: 30,
    msg: 'A request was answered.',
    requestId: 'r1',
    route: '/chat/:userId',
    status: 200,
    ms: 12.5,
  })
  expect(new Date(time).getTime()).toBeGreaterThan(0)
})

test('nothing else gets into a line, under any name and at any depth', () => {
  const { log, lines } = logged()
  const canaries = {
    email: 'ann@example.com',
    password: 'correct horse',
    lat: 52.5163,
    body: { text: 'meet me at CANARY' },
    headers: { cookie: 'CANARY' },
    err: new Error('CANARY'),
    memberId: 'ann@example.com',
    route: '/reset?token=CANARY',
    status: 'CANARY',
    kind: { nested: 'CANARY' },
    name: `line\n{"forged":true}`,
    msg: 'CANARY',
    ms: '+49 170 1234567',
  }
  for (const level of ['debug', 'info', 'warn', 'error'] as const)
    log[level]('It happened.', canaries as unknown as LogFields)
  log.error(
    'It failed.',
    errorFields(Object.assign(new TypeError('CANARY of ann@example.com'), { code: 'E1', detail: 'CANARY' })),
  )
  const text = lines.join('')
  expect(text).not.toMatch(/CANARY|example\.com|correct horse|52\.5|forged|1234567/)
  expect(JSON.parse(lines[0] ?? '{}')).toEqual({ level: 20, time: expect.any(String), msg: 'It happened.' })
  expect(JSON.parse(lines[4] ?? '{}')).toMatchObject({
    errorName: 'TypeError',
    errorCode: 'E1',
    errorAt: expect.stringMatching(/^log\.test\.ts:\d+$/),
  })
})
