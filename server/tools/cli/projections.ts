import { allModels } from '../../../projections/all-projections.ts'
import type { Projection } from '../../../projections/projection.ts'
import { explainQuarantined, explainRow, listAll, pauseOne, resumeOne, retry, statusOf } from '../projections/caring.ts'
import { dropTables, rebuildOne, rollbackOne, swapOne, verifyOne } from '../projections/rebuilding.ts'
import { nameList, noneNamed, openTools, projectionNamed, type Tools } from '../projections/tools.ts'
import { runCommand, UsageError } from './support/command.ts'
import { withCore } from './support/with-core.ts'

const HELP = `
Usage: npm run projections -- <command> [<name> …] [options]

Read models: rows made from the log, which can be made again any day.

  list                  each read model, its tables and the schemas that hold them
  status [<name> …]     where each stands, how far behind, how fast, what is in quarantine, and its disk use; ends with
                        code 1 when one is missing, stuck or in quarantine
  rebuild <name> …      makes the tables anew beside those that readers see, catches up, holds every row against live and
                        swaps; the product keeps running, and a rebuild that was killed resumes where it was. Rows of
                        the same version that differ are named with their events, and nothing is swapped: code 1
    --all               every read model, one after the other
    --no-swap           leaves the filled tables for "swap"
    --dry-run           says what would be done
  verify <name> …       the same comparison, and everything stays as it was
  swap <name> …         makes readers see the tables that a rebuild left, whatever they hold
  rollback <name> …     makes readers see the tables again that they saw before the last swap, caught up first
  drop <name> …         removes the tables that nobody reads, which a rollback needs; of a read model that this release does
                        not know and nobody feeds, all tables
  pause <name> …        the read model stands still, in every process, until
  resume <name> …
  explain <name> <key>  the events that made a row (columns of its key, separated by commas), or hold its stream back
  explain <event id>    an event in quarantine, why it is there, and what waits behind it; sealed fields stay sealed
  retry <event id>      applies it and what waits behind it, in order and in parts
  --help                this text

Works beside the running product (found by DATA_DIR) and without it.`

type Print = (line: string) => void
type Words = { readonly dryRun: boolean; readonly swap: boolean; readonly all: boolean }
type Task = (tools: Tools, print: Print) => Promise<number>

const ON_NAMES: Record<string, (tools: Tools, projection: Projection, words: Words, print: Print) => Promise<number>> =
  {
    rebuild: rebuildOne,
    verify: (tools, projection, _words, print) => verifyOne(tools, projection, print),
    swap: (tools, projection, _words, print) => swapOne(tools, projection, print),
    rollback: (tools, projection, _words, print) => rollbackOne(tools, projection, print),
    pause: (tools, projection, _words, print) => pauseOne(tools, projection, print),
    resume: (tools, projection, _words, print) => resumeOne(tools, projection, print),
  }

function named(name: string): Projection {
  const projection = projectionNamed(name)
  if (!projection) throw noneNamed(name)
  return projection
}

function asked(names: readonly string[], { all }: Words): readonly string[] {
  if (names.length === 0 && !all) throw new UsageError(`Which one? There are: ${nameList()}.`)
  if (names.length > 0 && all) throw new UsageError('Names, or --all: not both.')
  return all ? allModels : names
}

function onNames(command: string, names: readonly string[], words: Words): Task {
  const work = ON_NAMES[command]
  if (!work) throw new UsageError(`There is no command "${command}".`)
  const projections = asked(names, words).map(named)
  return async (tools, print) => {
    let code = 0
    for (const projection of projections) code = Math.max(code, await work(tools, projection, words, print))
    return code
  }
}

function explaining(rest: readonly string[]): Task {
  const [first, second, ...more] = rest
  if (first === undefined || more.length > 0) throw new UsageError('explain wants a name and a key, or an event.')
  if (second !== undefined) {
    const projection = named(first)
    return (tools, print) => explainRow(tools, projection, second, print)
  }
  const tables = projectionNamed(first)?.tables
  if (tables) {
    const keys = tables.map(({ name, key }) => `${key.join()} of a ${name}`).join(', or ')
    throw new UsageError(`explain ${first} wants a key too: ${keys}.`)
  }
  return async (tools, print) => {
    const code = await explainQuarantined(tools, first, print)
    if (code !== 0) print(`No read model holds ${first}.`)
    return code
  }
}

function listing(rest: readonly string[]): Task {
  if (rest.length > 0) throw new UsageError('list takes no names: it shows every read model. See status <name>.')
  return listAll
}

function retrying(rest: readonly string[]): Task {
  const [event, ...more] = rest
  if (event === undefined || more.length > 0) throw new UsageError('retry wants one event, as status names it.')
  return (tools, print) => retry(tools, event, print)
}

function taskOf([command, ...rest]: readonly string[], words: Words): Task {
  if (command === 'list') return listing(rest)
  if (command === 'status') {
    return (tools, print) => statusOf(tools, rest, print)
  }
  if (command === 'explain') return explaining(rest)
  if (command === 'retry') return retrying(rest)
  if (command === 'drop') {
    const names = asked(rest, words)
    return (tools, print) => dropTables(tools, names, print)
  }
  return onNames(command ?? '', rest, words)
}

const print = (line: string) => void process.stdout.write(`${line}\n`)

await runCommand({
  help: HELP,
  options: {
    all: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    'no-swap': { type: 'boolean' },
  },
  takes: {
    ...Object.fromEntries([...Object.keys(ON_NAMES), 'drop'].map((command) => [command, ['all']])),
    ...Object.fromEntries(['list', 'status', 'explain', 'retry'].map((command) => [command, []])),
    rebuild: ['all', 'dry-run', 'no-swap'],
  },
  words: { least: 1, most: 20 },
  run: ({ values, words }) => {
    const { all = false, 'dry-run': dryRun = false, 'no-swap': noSwap = false } = values
    const task = taskOf(words, { all, dryRun, swap: !noSwap })
    return withCore('Stopped. The same command resumes from here.', async ({ core, databases, signal }) =>
      task(await openTools(core, databases.log, signal), print),
    )
  },
})
