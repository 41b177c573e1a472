import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { counted } from '../../../domain/shared/counted.ts'
import { clientSource } from '../../../eventstore/chain/client-source.ts'
import { openLog } from '../../../eventstore/log.ts'
import { loadConfig } from '../../config.ts'
import { findRunning } from '../../data-dir.ts'
import { ifInstalled } from '../../installed.ts'
import { ROOT } from '../../root.ts'
import { checkGoldens, checkLock, checkStored } from '../events/check.ts'
import { describeAll, describeCounts, describeEvent, findEvent } from '../events/describe.ts'
import { GOLDEN_FOLDER } from '../events/released.ts'
import { countInLog, countInTable, type StoredCount } from '../events/stored.ts'
import type { Usage } from '../events/usage.ts'
import { isLogOf } from '../history/chain/chain-of.ts'
import { withParts } from './support/attach.ts'
import { runCommand, UsageError } from './support/command.ts'
import { progressBar } from './support/progress.ts'

const HELP = `
Usage: npm run events -- <command> [--no-log]

What can be in the log, in which versions, and who has to do with it.

  list           every event: latest version, decider, personal fields, how many handle it
  show <event>   one event: fields of each version, whose the personal ones are, how old versions become new ones,
                 who makes, evolves, projects, pushes and names it, and how often each version stands in the log
  check          ends with 1 when a released version changed or disappeared, when a golden file is missing or reads
                 otherwise than on the day it was released, or when the log holds what this product cannot read

  --no-log       looks at the code alone
  --help         this text

The log is that of the running product (found by DATA_DIR), of EVENTSTORE_URL or of DATA_DIR; without one, the code alone
is looked at.`

const print = (lines: readonly string[]) => void process.stdout.write(`${lines.join('\n')}\n`)

/** Null when there is no log to look into; none is made for it. */
async function counts(noLog: boolean): Promise<StoredCount[] | null> {
  const config = loadConfig(process.env)
  const { eventstoreUrl, databaseUrl, dataDir } = config
  const there = eventstoreUrl ?? databaseUrl ?? findRunning(dataDir)
  if (noLog || (!there && !existsSync(join(dataDir, 'postgres')))) return null
  return withParts({ need: ['postgres', 'log'], config }, async ({ postgres, log: connectionString }) => {
    const log = openLog({ connectionString })
    const bar = progressBar({ what: 'log', total: 0, unit: 'events' })
    try {
      if (await isLogOf(postgres.log, clientSource(log))) return await countInTable(postgres.log)
      return await countInLog(log, (done) => bar.at(done, done))
    } finally {
      await log.close()
    }
  })
}

async function check(noLog: boolean): Promise<number> {
  if (!existsSync(GOLDEN_FOLDER)) throw new Error(`What was released is in ${GOLDEN_FOLDER}, which is not here.`)
  const problems = [...checkLock(), ...(await checkGoldens())]
  const stored = await counts(noLog)
  if (stored) problems.push(...checkStored(stored))
  const where = stored ? 'the code, the golden files and the log' : 'the code and the golden files'
  print([
    ...(stored ? describeCounts(stored) : []),
    ...problems,
    problems.length === 0 ? `Every event holds in ${where}.` : `${counted(problems.length, 'problem')} in ${where}.`,
  ])
  return problems.length === 0 ? 0 : 1
}

/** Read from the sources, by the compiler. */
async function usage(): Promise<(type: string) => Usage> {
  if (!existsSync(join(ROOT, 'domain')))
    throw new Error('Who uses an event is read from the sources, and they are not here. The command check works.')
  const { readUsage } = await ifInstalled('Who uses an event', () => import('../events/usage.ts'))
  return readUsage()
}

async function show(type: string, noLog: boolean): Promise<number> {
  const definition = findEvent(type)
  if (!definition) throw new UsageError(`There is no event "${type}".`)
  print(describeEvent(definition, (await usage())(type), await counts(noLog)))
  return 0
}

async function list(): Promise<number> {
  print(describeAll(await usage()))
  return 0
}

await runCommand({
  help: HELP,
  options: { 'no-log': { type: 'boolean' } },
  words: { least: 1, most: 2 },
  run: ({ values, words: [command, of] }) => {
    const noLog = values['no-log'] === true
    if (command === 'show') {
      if (!of) throw new UsageError('show wants an event, such as Buzzed.')
      return show(of, noLog)
    }
    if (of !== undefined) throw new UsageError(`"${of}" is one word too many.`)
    if (command === 'list') return list()
    if (command === 'check') return check(noLog)
    throw new UsageError(`There is no command "${command}".`)
  },
})
