import { join } from 'node:path'
import { ROOT } from '../../root.ts'
import { BUDGET_BYTES, describeSizes, pageSizes } from '../build/page-sizes.ts'
import { buildPages } from '../build/pages.ts'
import { runCommand } from './support/command.ts'

const HELP = `
Usage: npm run build [-- --sizes]

Builds the program and its pages into the folder build/, each if its sources have changed since. npm start does so by
itself; a server that is given the folder needs neither the sources nor what builds them.

  --sizes  says how much script each page sends, and ends with 1 when one is over ${BUDGET_BYTES / 1024} KB gzip
  --help   this text`

const print = (...lines: string[]) => void process.stdout.write(lines.map((line) => `${line}\n`).join(''))

await runCommand({
  help: HELP,
  options: { sizes: { type: 'boolean' } },
  async run({ values }) {
    print((await buildPages(ROOT)) ? 'Built.' : 'The build is up to date.')
    if (!values.sizes) return 0
    const sizes = await pageSizes(join(ROOT, 'build', 'client'))
    print(...describeSizes(sizes))
    return sizes.some(({ bytes }) => bytes > BUDGET_BYTES) ? 1 : 0
  },
})
