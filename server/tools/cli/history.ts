import { once } from 'node:events'
import { type VerifyOptions, verifyChain } from '../../../eventstore/chain/verify.ts'
import { loadConfig } from '../../config.ts'
import { createToolPorts } from '../../ports.ts'
import { answerHistory, type HistoryRequest, viewOf } from '../history/ask.ts'
import { chainOf } from '../history/chain/chain-of.ts'
import { reportOf } from '../history/chain/report.ts'
import { requireProduct } from './support/attach.ts'
import { runCommand, UsageError } from './support/command.ts'
import { type ProgressLine, progressBar } from './support/progress.ts'
import { withCore } from './support/with-core.ts'
import { withProduct } from './support/with-product.ts'

const HELP = `
Usage: npm run history -- <who> [--at <time> | --revision <n> | --diff <a> <b>] [--format text|ndjson] [--reveal <why>]
       npm run history -- verify [--expect <head>]

<who> is a member's id or e-mail address, or a stream such as profile-<id>. Every look is recorded.

  <who>             all that happened, oldest first: when, what, by whom and why, on every stream
  --at <time>       what it was at a moment of UTC, such as 2026-11-21T09:30Z
  --revision <n>    what a stream was after its event n, counted from 0
  --diff <a> <b>    what changed between two moments, or two revisions of a stream
  --format ndjson   a line of JSON for each event, state or difference; the same bytes for the same question
  --reveal <why>    opens the sealed fields of the member; the reason is recorded

  verify            holds every stored event against the chain of heads that was sealed while the log was written, and
                    names each event or head that is not what it was; then seals what is new

  --expect <head>   a head that you wrote down or were sent earlier: the chain must go through it
  --help            this text

Ends with 0, with 1 when nobody is found or the log is not what was sealed, with 2 for a wrong call. Works beside the running
product (found by DATA_DIR) and without it.`

const HEAD = /^[0-9a-f]{64}$/
const WORTH_A_BAR = 50_000

async function verify(expect: string | undefined): Promise<number> {
  return withCore('Stopped before the end.', async ({ core, secrets, databases, signal }) => {
    const chain = await chainOf(core, secrets, { now: () => new Date(), table: databases.log, signal })
    const startedAt = performance.now()
    const { onProgress, closeAll } = bars()
    const verdict = await verifyChain(chain, { onProgress, ...(expect && { expect }) }).finally(closeAll)
    const seconds = (performance.now() - startedAt) / 1_000
    process.stdout.write(`${reportOf(verdict, seconds, chain.seals.publicKey).join('\n')}\n`)
    return verdict.ok ? 0 : 1
  })
}

/** A bar for what is verified and one for what is sealed, where it takes long enough to look at. */
function bars() {
  const open = new Map<string, ProgressLine>()
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

async function printHistory(request: HistoryRequest): Promise<number> {
  viewOf(request)
  const now = () => new Date()
  const config = loadConfig(process.env)
  requireProduct(config)
  await withProduct(async ({ core, services }) => {
    for await (const line of answerHistory(createToolPorts(core, services, now), request))
      if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain')
  }, config)
  return 0
}

function formatOf(word: string): HistoryRequest['format'] {
  if (word !== 'text' && word !== 'ndjson') throw new UsageError('--format wants text or ndjson.')
  return word
}

await runCommand({
  help: HELP,
  options: {
    expect: { type: 'string' },
    at: { type: 'string' },
    revision: { type: 'string' },
    diff: { type: 'string' },
    format: { type: 'string' },
    reveal: { type: 'string' },
  },
  takes: { verify: ['expect'] },
  words: { least: 1, most: 2 },
  run: ({ values: { expect, at, revision, diff, format = 'text', reveal }, words: [who = '', to] }) => {
    if ((to === undefined) !== (diff === undefined)) throw new UsageError('--diff wants two moments or revisions.')
    if (who === 'verify') {
      if (expect !== undefined && !HEAD.test(expect)) throw new UsageError('--expect wants 64 hexadecimal digits.')
      return verify(expect)
    }
    if (expect !== undefined) throw new UsageError('--expect goes with verify.')
    const between = diff !== undefined && to !== undefined ? ([diff, to] as const) : undefined
    return printHistory({ who, at, revision, diff: between, format: formatOf(format), reveal })
  },
})
