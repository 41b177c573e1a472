import { expect, test } from 'vitest'
import { securityTests } from '../run/security.ts'
import { pages } from './source.ts'

const PAGE = 'docs/security.md'
const STATES = ['met', 'n/a', 'deviation', 'not met'] as const
const ROW = /^\| (?<ids>\d+\.\d+\.\d+[^|]*) \| (?<state>[^|]*) \|/
const ID = /(\d+)\.(\d+)\.(\d+)(?:–\d+\.\d+\.(\d+))?/g

const text = pages().find(({ path }) => path === PAGE)?.text ?? ''
const lines = text.slice(text.indexOf('## OWASP ASVS')).split('\n')
const cells = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/** Every requirement that a row names, ranges in full, with what the row states of it. */
const requirements = lines.flatMap((line) => {
  const { ids = '', state = '' } = ROW.exec(line)?.groups ?? {}
  return [...ids.matchAll(ID)].flatMap(([, chapter, section, from, to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => ({
      id: `${chapter}.${section}.${Number(from) + at}`,
      chapter: String(chapter),
      state,
    })),
  )
})

test('every requirement of ASVS is in one row, with one of four states', () => {
  const ids = requirements.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  expect(requirements.filter(({ state }) => !STATES.some((one) => one === state))).toEqual([])
  const promised = /^All (\d+) requirements/m.exec(lines.join('\n'))?.[1]
  expect(ids).toHaveLength(Number(promised))
})

test('the sums of the chapters are those of their rows', () => {
  const head = cells(lines.find((line) => line.startsWith('| Chapter |')) ?? '').slice(1)
  const summed = STATES.map((state) => {
    const counts = head.map((chapter) => {
      const count = requirements.filter((one) => one.state === state && (chapter === 'all' || one.chapter === chapter))
      return count.length === 0 ? '–' : String(count.length)
    })
    return `| ${[state, ...counts].join(' | ')} |`
  })
  expect(STATES.map((state) => lines.find((line) => line.startsWith(`| ${state} |`)))).toEqual(summed)
})

/** What stands for a defence of the product, and is not to fall out of the page's group. */
const DEFENCES = {
  uploads: [
    'services/media/wrapped-tables',
    'services/media-turns',
    'services/draft-room',
    'services/hostile-clips',
    'services/receive',
    'server/http/room/body-room',
    'server/http/room/body-pool',
    'server/http/room/half-sent-pictures',
    'routes/uploads',
    'routes/slow-body',
    'routes/long-forms',
    'services/media/deep-boxes',
    'services/media/no-process',
    'usecases/media/upload-media',
    'server/http/body-pieces',
    'server/http/read-pace',
  ],
  connections: [
    'server/http/connection-caps',
    'server/http/refused-sockets',
    'server/http/drain',
    'realtime/strangers',
    'realtime/replay-budget',
    'routes/behind',
    'routes/limits',
    'server/http/unread-answers',
    'server/http/long-heads',
    'routes/made-up-tokens',
  ],
  stops: [
    'server/kept/keep-running',
    'server/build/npm-start',
    'server/processes',
    'server/workers/two-workers',
    'server/flooded-stop',
    'drills/program-kill',
  ],
  parts: [
    'server/embedded-parts',
    'server/postgres-password',
    'server/config',
    'contract/embedded-access',
    'server/log/config-log',
  ],
  rights: [
    'routes/api/chat',
    'routes/api/sign-up',
    'projections/conversations',
    'realtime/shown-presence',
    'realtime/rights/at-connect',
    'realtime/resume',
    'eventstore/log-id',
  ],
  erasure: [
    'server/backup/notices',
    'server/erasure/address',
    'server/erasure/admin-erase',
    'server/erasure/canaries',
    'server/erasure/reclaim',
    'server/erasure/report-words',
    'routes/delete-account',
    'usecases/register/hashed-address',
  ],
  whereabouts: [
    'domain/published-cell',
    'services/nearby/positions',
    'services/nearby/published-cells',
    'routes/published-cells',
    'drills/whereabouts/whereabouts',
  ],
  keys: ['server/keys/rotate', 'server/keys/rotate-tool', 'server/keys/after-rotation', 'server/keys/first-start'],
  answers: [
    'contract/api-document',
    'contract/described-answers',
    'routes/api/document',
    'routes/enumeration',
    'contract/raw-answers',
    'services/media/forms-in-utf-8',
    'routes/refusals/text-in-utf-8',
  ],
  'second factors': [
    'routes/undo-second-factor',
    'services/second-factor/challenges',
    'usecases/second-factor/known-before',
    'usecases/second-factor/failing-log',
    'e2e/second-factor',
  ],
  events: ['server/http/events/few-lines'],
  forms: [
    'e2e/no-answer',
    'e2e/away',
    'e2e/unanswered-leave',
    'e2e/forms/unanswered-sentences',
    'e2e/markup',
    'routes/discover',
  ],
}

test('every test that the page cites is there, and runs with the group of them', () => {
  const { vitest, browsers } = securityTests('.')
  expect(vitest).toContain('tests/routes/matrix-api.test.ts')
  expect(browsers).toContain('tests/e2e/markup.spec.ts')
})

test.each(Object.entries(DEFENCES))('what stands for %s is in the group of the page', (_, names) => {
  const { vitest, browsers } = securityTests('.')
  const cited = new Set([...vitest, ...browsers].map((file) => file.replace(/^tests\/|\.(?:test|spec)\.tsx?$/g, '')))
  expect(names.filter((name) => !cited.has(name))).toEqual([])
})
