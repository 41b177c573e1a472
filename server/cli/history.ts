import { type VerifyOptions, verifyChain } from '../../eventstore/chain/verify.ts'
import { chainOf } from '../chain/chain-of.ts'
import { reportOf } from '../chain/report.ts'
import { openCore } from '../core.ts'
import { openSecrets } from '../secrets.ts'
import { withParts } from './support/attach.ts'
import { runCommand, UsageError } from './support/command.ts'
import { type Progress, progressBar } from './support/progress.ts'

const HELP = `
Usage: npm run history -- verify [--expect <head>]

  verify            holds every stored event against the chain of heads that was sealed while the log was written, and
                    names each event or head that is not what it was; then seals what is new

  --expect <head>   a head that you wrote down or were sent earlier: the chain must go through it
  --help            this text

Ends with 0 when the log is what was sealed, with 1 when it is not, with 2 for a wrong call. Works beside the running
product (found by DATA_DIR) and without it.`

const HEAD = /^[0-9a-f]{64}$/
const WORTH_A_BAR = 50_000

async function verify(expect: string | undefined): Promise<number> {
  return withParts({ need: ['postgres', 'log'] }, async ({ config, postgres, log }) => {
    const secrets = openSecrets(config)
    const core = await openCore({ database: postgres.app, log, secrets })
    const stop = new AbortController()
    const stopNow = () => stop.abort(new Error('Stopped before the end.'))
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopNow)
    try {
      const chain = await chainOf(core, secrets, { now: () => new Date(), table: postgres.log, signal: stop.signal })
      const startedAt = performance.now()
      const { onProgress, closeAll } = bars()
      const verdict = await verifyChain(chain, { onProgress, ...(expect && { expect }) }).finally(closeAll)
      const seconds = (performance.now() - startedAt) / 1_000
      process.stdout.write(`${reportOf(verdict, seconds, chain.seals.publicKey).join('\n')}\n`)
      return verdict.ok ? 0 : 1
    } finally {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stopNow)
      await core.close()
    }
  })
}

/** A bar for what is verified and one for what is sealed, where it takes long enough to look at. */
function bars() {
  const open = new Map<string, Progress>()
  const closeAll = () => {
    for (const bar of open.values()) bar.end()
    open.clear()
  }
  const onProgress: NonNullable<VerifyOptions['onProgress']> = ({ what, done, total }) => {
    if (total < WORTH_A_BAR) return
    if (!open.has(what)) {
      closeAll()
      open.set(what, progressBar({ what, total, unit: 'events' }))
    }
    open.get(what)?.at(done, total)
  }
  return { onProgress, closeAll }
}

await runCommand({
  help: HELP,
  options: { expect: { type: 'string' } },
  words: { least: 1, most: 1 },
  run: ({ values: { expect }, words: [command] }) => {
    if (command !== 'verify') throw new UsageError(`There is no command "${command}".`)
    if (expect !== undefined && !HEAD.test(expect)) throw new UsageError('--expect wants 64 hexadecimal digits.')
    return verify(expect)
  },
})
