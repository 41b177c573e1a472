import { expect, test } from 'vitest'
import { linesTo } from '../../../server/workers/plain-lines.ts'
import { createLogger } from '../../../services/log.ts'

/** What a logger writes to such an output. */
function written(isTTY: boolean): string {
  const pieces: string[] = []
  const output = { isTTY, write: (text: string) => pieces.push(text) }
  const log = createLogger({ destination: output, ...linesTo(output) })
  log.info('The log has stopped.')
  log.warn('Not everything had stopped after 5000 ms.')
  log.error('The mail server is down.', { kind: 'mail-down', errorCode: 'ECONNREFUSED' })
  return pieces.join('')
}

test('a terminal gets a sentence for each line of the log', () => {
  expect(written(true)).toBe(
    [
      'The log has stopped.',
      'Warning: Not everything had stopped after 5000 ms.',
      'Error: The mail server is down. (kind mail-down, errorCode ECONNREFUSED)',
      '',
    ].join('\n'),
  )
})

test('a pipe gets lines of JSON', () => {
  const lines = written(false)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [30, 'The log has stopped.'],
    [40, 'Not everything had stopped after 5000 ms.'],
    [50, 'The mail server is down.'],
  ])
})
