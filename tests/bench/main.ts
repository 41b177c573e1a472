import { cpus } from 'node:os'
import { resolve } from 'node:path'
import { buildApp } from '../../server/cli/build.ts'
import { runCommand, UsageError } from '../../server/cli/support/command.ts'
import { benchAppends } from './appends.ts'
import { benchAudit } from './audit.ts'
import { benchChain } from './chain.ts'
import { type Figure, table } from './figures.ts'
import { benchSizes } from './pages.ts'
import { benchProduct } from './product.ts'
import { benchProjecting } from './projecting.ts'
import { withStore } from './store.ts'

const HELP = `
Usage: npm run bench -- [<name> …] [--help]

Measures the product on this machine, each figure beside what the machine does without it, in turns. Medians of three
rounds; ratios travel from one machine to another, rates do not. Let nothing else run meanwhile.

  appends   to the log through its client, against plain inserts
  project   events into all read models while they are written
  chain     a million events against their heads, beside a bare SHA-256 over the same bytes
  product   command to visible, message to socket, pages, start, memory at rest
  sizes     script of each page
  audit     an auditor's pages about a member with a thousand events on one stream`

const PARTS: Record<string, () => Promise<Figure[]>> = {
  appends: () => withStore(benchAppends),
  project: () => withStore(benchProjecting),
  chain: () => withStore(benchChain),
  product: benchProduct,
  sizes: benchSizes,
  audit: benchAudit,
}

await runCommand({
  help: HELP,
  options: {},
  words: { least: 0, most: Object.keys(PARTS).length },
  async run({ words }) {
    const unknown = words.find((word) => !(word in PARTS))
    if (unknown) throw new UsageError(`There is nothing to measure called "${unknown}".`)
    await buildApp(resolve(import.meta.dirname, '../..'), true)
    const figures: Figure[] = []
    for (const [name, measure] of Object.entries(PARTS)) {
      if (words.length > 0 && !words.includes(name)) continue
      process.stderr.write(`Measuring ${name} …\n`)
      figures.push(...(await measure()))
    }
    const [cpu] = cpus()
    process.stdout.write(`\nNode ${process.version}, ${cpus().length} cores, ${cpu?.model ?? 'unknown'}\n\n`)
    process.stdout.write(`${table(figures)}\n`)
    process.exit(0)
  },
})
