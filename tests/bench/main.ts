import { cpus, loadavg } from 'node:os'
import { ROOT } from '../../server/root.ts'
import { buildPages } from '../../server/tools/build/pages.ts'
import { ensureProgram } from '../../server/tools/build/program.js'
import { runCommand, UsageError } from '../../server/tools/cli/support/command.ts'
import { type Figure, table } from './figures.ts'
import { PARTS } from './parts.ts'
import { runPart } from './run-part.ts'

const list = Object.entries(PARTS)
  .map(([name, { about }]) => `  ${name.padEnd(8)}  ${about}`)
  .join('\n')

const HELP = `
Usage: npm run bench -- [<part> …] [--short] [--patient] [--list] [--help]

Measures the product on this machine: medians of turns, each figure beside what the machine does without the product in
the same run. Ratios travel from one machine to another, rates do not. Let nothing else run meanwhile.

${list}

  --short    few turns, to see that every part works; no figures to quote
  --patient  a slow or busy machine: no part is cut off after its time
  --list     the parts, and the seconds after which each is cut off`

const DAY_SECONDS = 86_400

async function measure(names: readonly string[], short: boolean, patient: boolean): Promise<number> {
  const figures: Figure[] = []
  const failures: string[] = []
  for (const name of names) {
    process.stderr.write(`Measuring ${name} …\n`)
    const { capSeconds } = PARTS[name]!
    const measured = await runPart(name, short, patient ? DAY_SECONDS : capSeconds)
    process.stderr.write(`  ${measured.figures.length} figures in ${measured.seconds.toFixed(0)} s\n`)
    figures.push(...measured.figures)
    if (measured.failure) failures.push(`${name}: ${measured.failure}`)
  }
  process.stdout.write(`\n${table(figures)}\n`)
  for (const failure of failures) process.stdout.write(`\nNot measured to the end, ${failure}\n`)
  return failures.length > 0 ? 1 : 0
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

await runCommand({
  help: HELP,
  options: { short: { type: 'boolean' }, patient: { type: 'boolean' }, list: { type: 'boolean' } },
  words: { least: 0, most: Object.keys(PARTS).length },
  async run({ words, values: { short = false, patient = false, list: listed } }) {
    const unknown = words.find((word) => !(word in PARTS))
    if (unknown) throw new UsageError(`There is nothing to measure called "${unknown}".`)
    if (listed) {
      for (const [name, { capSeconds, about }] of Object.entries(PARTS))
        process.stdout.write(`${name.padEnd(8)}  ${`${capSeconds} s`.padStart(4)}  ${about}\n`)
      return 0
    }
    await ensureProgram(ROOT)
    await buildPages(ROOT, true)
    const [cpu] = cpus()
    const load = loadavg()[0]!.toFixed(1)
    process.stdout.write(`Node ${process.version}, ${cpus().length} cores, ${cpu?.model ?? 'unknown'}, load ${load}\n`)
    const names = Object.keys(PARTS).filter((name) => words.length === 0 || words.includes(name))
    return measure(names, short, patient)
  },
})
