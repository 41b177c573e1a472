import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildPages } from '../server/tools/build/pages.ts'
import { ensureProgram } from '../server/tools/build/program.js'
import { securityTests } from './run/security.ts'
import { playwrightTally, type Tally, vitestTally } from './run/tally.ts'
import { makeTempDir } from './support/temp-folder.ts'

const HELP = `Usage: npm test [-- --help]
       npm run test:security

Builds what changed, runs every test with Vitest and then those in browsers with Playwright, and ends with the line
"N passed, N failed". The second runs those that docs/security.md cites. One kind alone: npx vitest run --project domain, or
npx playwright test.`

const ROOT = resolve(import.meta.dirname, '..')
const print = (text: string) => void process.stdout.write(`${text}\n`)

/** One test program, and how to read the report that it leaves. */
type Suite = {
  name: string
  command: readonly string[]
  env?: Readonly<Record<string, string>>
  tally: (reportFile: string, exitCode: number) => Tally
}

/** `--security` asks for the tests that the page on security cites; without it, all of them. */
function suites(report: (name: string) => string): Suite[] {
  const chosen = process.argv.includes('--security') ? securityTests(ROOT) : { vitest: [], browsers: [] }
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json']
  return [
    {
      name: 'vitest',
      command: [...vitest, `--outputFile.json=${report('vitest')}`, ...chosen.vitest],
      env: { TEST_TOGETHER: '1' },
      tally: vitestTally,
    },
    {
      name: 'browsers',
      command: ['node_modules/playwright/cli.js', 'test', '--reporter=list,json', ...chosen.browsers],
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report('browsers') },
      tally: playwrightTally,
    },
  ]
}

let running: ChildProcess | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    running?.kill(signal)
    process.exitCode = 130
  })
}

async function runSuite({ name, command, env, tally }: Suite, reportFile: string): Promise<Tally> {
  print(`\n── ${name} ──`)
  const startedAt = performance.now()
  running = spawn(process.execPath, command, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = (await once(running, 'exit')) as [number | null]
  const counted = tally(reportFile, code ?? 1)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  print(
    `${name}: ${counted.passed} passed, ${counted.failed.length} failed, ${counted.skipped} skipped in ${seconds} s`,
  )
  return counted
}

async function main(): Promise<void> {
  const folder = makeTempDir('letsbuzz-reports-')
  const report = (name: string) => join(folder, `${name}.json`)
  try {
    const built = [await ensureProgram(ROOT), await buildPages(ROOT, true)]
    print(built.includes(true) ? 'Built.' : 'The build is up to date.')
    const tallies: Tally[] = []
    for (const suite of suites(report)) {
      if (process.exitCode === undefined) tallies.push(await runSuite(suite, report(suite.name)))
    }
    sumUp(tallies)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The failed by name, then the line that machines read, alone and last. */
function sumUp(tallies: readonly Tally[]): void {
  const failed = tallies.flatMap((tally) => tally.failed)
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0)
  const skipped = tallies.reduce((sum, tally) => sum + tally.skipped, 0)
  if (failed.length > 0) print(`\nFailed:\n${failed.map((name) => `  ${name}`).join('\n')}`)
  if (failed.length > 0 || passed === 0) process.exitCode ??= 1
  print(`\n${skipped} skipped`)
  print(`${passed} passed, ${failed.length} failed`)
}

if (process.argv.includes('--help')) print(HELP)
else await main()
