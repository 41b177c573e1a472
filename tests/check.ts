import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

/** What is looked at before the tests, the longest first; each is a script of the package. */
const CHECKS = ['types', 'lint', 'events'] as const
const PRINTED_MOST = 64 * 2 ** 20

/** Resolves with whether the check is passed; prints what it printed in one piece. */
function check(name: string): Promise<boolean> {
  return new Promise((done) => {
    const options = { cwd: ROOT, maxBuffer: PRINTED_MOST }
    execFile('npm', ['run', '--silent', `check:${name}`], options, (error, stdout, stderr) => {
      process.stdout.write(`\n── ${name} ──\n${stdout}${stderr}${error ? `${name}: failed\n` : ''}`)
      done(error === null)
    })
  })
}

/** As many side by side as the machine has cores; the next one begins once one has ended. */
async function main(): Promise<void> {
  const waiting = [...CHECKS]
  let failed = false
  const take = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) if (!(await check(next))) failed = true
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), CHECKS.length) }, take))
  process.exitCode = failed ? 1 : 0
}

await main()
