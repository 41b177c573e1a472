import { expect, test } from 'vitest'
import { createLogger } from '../../services/log.ts'
import { sweepAll, sweepableOf } from '../../services/sweep.ts'

test('every service that can forget is swept, and no other', () => {
  const sweep = async () => 0
  const services = {
    one: { sweep, find: async () => null },
    two: { find: async () => null },
    three: () => 3,
    four: null,
  }
  expect(Object.keys(sweepableOf(services))).toEqual(['one'])
})

test('a sweep that fails is reported and stops no other; after a stop none begins', async () => {
  const swept: string[] = []
  const lines: string[] = []
  const logger = createLogger({ destination: { write: (line: string) => void lines.push(line) } })
  const stopping = new AbortController()
  const services = {
    bad: { sweep: () => Promise.reject(new Error('ann@example.com')) },
    good: { sweep: async () => swept.push('good') },
    last: {
      async sweep() {
        stopping.abort()
        return swept.push('last')
      },
    },
    late: { sweep: async () => swept.push('late') },
  }
  await sweepAll(services, logger, stopping.signal)
  expect(swept).toEqual(['good', 'last'])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, name: 'bad' }])
  expect(lines.join()).not.toContain('ann@')
})
