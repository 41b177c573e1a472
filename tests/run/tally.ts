import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** What one test program found; `failed` holds a name for each failed test, and below it why. */
export type Tally = { passed: number; failed: readonly string[]; skipped: number }

type VitestReport = {
  testResults: {
    name: string
    status: string
    message?: string
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[]
  }[]
}

/** Of Vitest's JSON report. A file that could not be loaded counts as one failed test. */
export function vitestTally(reportFile: string, exitCode: number): Tally {
  const report = read<VitestReport>(reportFile)
  const files = report?.testResults ?? []
  const tests = files.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages = [] }) => ({
      status,
      name: withReason(`${relative(process.cwd(), name)}: ${fullName}`, failureMessages[0]),
    })),
  )
  const broken = files
    .filter(({ status, assertionResults }) => status === 'failed' && !assertionResults.some(isFailed))
    .map(({ name, message }) =>
      withReason(`${relative(process.cwd(), name)}: the file failed outside its tests`, message),
    )
  return checked('Vitest', exitCode, {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: [...tests.filter(isFailed).map(({ name }) => name), ...broken],
    skipped: tests.filter(({ status }) => status !== 'passed' && status !== 'failed').length,
  })
}

/** Of a reason, so many lines: a machine that keeps only the end of the output still shows why. */
const LINES = 12

function withReason(name: string, reason = ''): string {
  const lines = stripVTControlCharacters(reason)
    .split('\n')
    .filter((line) => line.trim() !== '')
  return [name, ...lines.slice(0, LINES).map((line) => `    ${line}`)].join('\n')
}

const isFailed = ({ status }: { status: string }) => status === 'failed'

type PlaywrightSuite = {
  suites?: PlaywrightSuite[]
  specs?: { title: string; file: string; tests: PlaywrightTest[] }[]
}
type PlaywrightTest = { status: string; results?: { error?: { message?: string } }[] }
type PlaywrightReport = { suites: PlaywrightSuite[]; errors?: { message?: string }[] }

/** Of Playwright's JSON report. A test that passed only when repeated counts as failed. */
export function playwrightTally(reportFile: string, exitCode: number): Tally {
  const report = read<PlaywrightReport>(reportFile)
  const tests = (report?.suites ?? []).flatMap(testsOf)
  const named = (status: string) => tests.filter((test) => test.status === status).map(({ name }) => name)
  const errors = (report?.errors ?? []).map(({ message }) => `Playwright: ${message?.split('\n')[0] ?? 'an error'}`)
  return checked('Playwright', exitCode, {
    passed: named('expected').length,
    failed: [...named('unexpected'), ...named('flaky'), ...errors],
    skipped: named('skipped').length,
  })
}

function testsOf({ suites = [], specs = [] }: PlaywrightSuite): { name: string; status: string }[] {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests.map(({ status, results = [] }) => ({
      status,
      name: withReason(`${file}: ${title}`, results.find(({ error }) => error)?.error?.message),
    })),
  )
  return [...own, ...suites.flatMap(testsOf)]
}

/** A program that failed without naming a test, or that ran none, is itself the failure. */
function checked(program: string, exitCode: number, tally: Tally): Tally {
  if (tally.failed.length > 0) return tally
  if (exitCode !== 0) return { ...tally, failed: [`${program} ended with code ${exitCode}`] }
  if (tally.passed === 0) return { ...tally, failed: [`${program} ran no test`] }
  return tally
}

function read<T>(file: string): T | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : null
}
