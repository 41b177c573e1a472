import { afterEach, expect, test, vi } from 'vitest'
import { counted } from '../../domain/shared/counted.ts'
import { runCommand, UsageError } from '../../server/tools/cli/support/command.ts'
import { progressBar, progressLine } from '../../server/tools/cli/support/progress.ts'

afterEach(() => {
  process.exitCode = undefined
})

async function run(
  args: string[],
  work: () => Promise<number | undefined> = async () => undefined,
  env: Record<string, string> = {},
) {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const given: unknown[] = []
  const command = {
    help: 'Usage: npm run seed -- [--members N]',
    options: { members: { type: 'string' }, 'with-secrets': { type: 'boolean' }, 'no-demo': { type: 'boolean' } },
    words: { least: 0, most: 1 },
    run: (all: { values: { members?: string }; words: readonly string[] }) => {
      given.push(all.values.members, ...all.words)
      return work()
    },
  } as const
  await runCommand(command, args, env)
  const text = (spy: typeof out) => spy.mock.calls.map(([part]) => String(part)).join('')
  const result = { code: process.exitCode ?? 0, out: text(out), err: text(err), given }
  out.mockRestore()
  err.mockRestore()
  return result
}

test('a tool gets its flags and words', async () => {
  expect(await run(['--members', '5', 'vienna'])).toMatchObject({ code: 0, given: ['5', 'vienna'] })
})

test('--help is printed and nothing runs', async () => {
  const result = await run(['--help'])
  expect(result).toMatchObject({ code: 0, out: 'Usage: npm run seed -- [--members N]\n', given: [] })
})

test.each([
  ['an unknown flag', ['--wings'], /Unknown option '--wings'/],
  ['a flag without its value', ['--members'], /'--members <value>' argument missing/],
  ['a word too many', ['a', 'b'], /"b" is one word too many/],
])('%s ends with code 2 and points to --help', async (_what, args, problem) => {
  const result = await run(args)
  expect(result).toMatchObject({ code: 2, given: [] })
  expect(result.err).toMatch(problem)
  expect(result.err).toMatch(/--help shows what there is/)
})

test.each([
  ['members', { npm_config_members: 'true' }, ['5']],
  ['members', { npm_config_members: '5' }, []],
  ['with-secrets', { npm_config_with_secrets: 'true' }, []],
  ['no-demo', { npm_config_demo: '' }, []],
])('--%s that npm took for itself is a wrong call that names the missing "--"', async (name, env, args) => {
  const result = await run(args, undefined, { ...env, npm_lifecycle_event: 'seed' } as Record<string, string>)
  expect(result).toMatchObject({ code: 2, given: [] })
  expect(result.err).toContain(`npm took --${name} for itself. Options go behind "--": npm run seed -- --${name}`)
})

test('what npm is set to otherwise does not disturb a call', async () => {
  const env = { npm_config_yes: '', npm_config_members: '', npm_config_demo: 'true' }
  expect(await run(['--members', '5'], undefined, env)).toMatchObject({ code: 0, given: ['5'] })
  // Given behind the "--", too.
  expect(await run(['--members', '5'], undefined, { npm_config_members: '3' })).toMatchObject({ code: 0 })
})

test('a failure ends with code 1 and its message, a wrong use with code 2, an answer with its own', async () => {
  const fail = (error: Error) => () => Promise.reject(error)
  expect(await run([], fail(new Error('The log is away.')))).toMatchObject({ code: 1, err: 'The log is away.\n' })
  expect(await run([], fail(new UsageError('No such projection.')))).toMatchObject({ code: 2 })
  expect(await run([], async () => 3)).toMatchObject({ code: 3 })
})

test('a progress line shows share, rate and time left', () => {
  const line = { what: 'Discover', unit: 'events', done: 50, total: 200, seconds: 5, bar: false }
  expect(progressLine(line)).toBe('Discover  25 %  50/200 events  10/s  15 s left')
  expect(progressLine({ ...line, done: 200 })).toBe('Discover  100 %  200/200 events  40/s  in 5 s')
  expect(progressLine({ ...line, bar: true })).toContain('██████░░')
  expect(progressLine({ ...line, done: 0, total: 0 })).toContain('100 %')
})

test('a terminal gets one line that changes, anything else gets few lines', () => {
  const draw = (isTTY: boolean) => {
    let time = 0
    const parts: string[] = []
    const out = { isTTY, write: (part: string) => parts.push(part) }
    const bar = progressBar({ what: 'Seed', total: 100, unit: 'members', out, now: () => time })
    for (let done = 1; done <= 100; done++) {
      time += 50
      bar.at(done)
    }
    bar.end()
    return parts.join('')
  }
  expect(draw(true).split('\r').length).toBeGreaterThan(20)
  expect(draw(true).split('\n')).toHaveLength(2)
  expect(draw(false).trim().split('\n').length).toBeLessThanOrEqual(3)
  expect(draw(false)).not.toContain('\r')
})

test('the last state is drawn once where lines stay', () => {
  const draw = (isTTY: boolean, done: readonly number[]) => {
    const parts: string[] = []
    const out = { isTTY, write: (part: string) => parts.push(part) }
    const bar = progressBar({ what: 'Seed', total: 2, unit: 'members', out, now: () => 0 })
    for (const count of done) bar.at(count)
    bar.end()
    return parts.join('')
  }
  expect(draw(false, [2]).match(/100 %/g)).toHaveLength(1)
  expect(draw(false, [1, 2]).trim().split('\n')).toEqual([
    expect.stringContaining('50 %'),
    expect.stringContaining('100 %'),
  ])
  expect(draw(false, []).match(/ 0 %/g)).toHaveLength(1)
  expect(draw(true, [2])).toMatch(/100 %.*\n$/s)
})

test('one is counted as one, none and several as several', () => {
  expect([0, 1, 2, 1200].map((count) => counted(count, 'session'))).toEqual([
    '0 sessions',
    '1 session',
    '2 sessions',
    '1,200 sessions',
  ])
  expect([1, 3].map((count) => counted(count, 'match', 'matches'))).toEqual(['1 match', '3 matches'])
})
