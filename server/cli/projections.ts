import { allProjections } from '../../projections/all-projections.ts'
import { listTargets, schemaOf, type Target } from '../../projections/engine/checkpoints.ts'
import type { FillProgress } from '../../projections/engine/fill.ts'
import { countQuarantined } from '../../projections/engine/quarantine.ts'
import { rebuild } from '../../projections/engine/rebuild.ts'
import { shareDone } from '../../projections/engine/share-done.ts'
import type { Projection } from '../../projections/projection.ts'
import { type Core, openCore } from '../core.ts'
import { openSecrets } from '../secrets.ts'
import { withParts } from './support/attach.ts'
import { runCommand, UsageError } from './support/command.ts'
import { progressBar } from './support/progress.ts'

const HELP = `
Usage: npm run projections -- <command> [<name>]

Read models: rows made from the log, which can be made again any day.

  list             each read model, its tables and the schemas that hold them
  status           where each stands and how far behind; ends with code 1 when one is missing, stuck or in quarantine
  rebuild <name>   makes the tables anew beside those that readers see, catches up and swaps them in; the product goes
                   on meanwhile, and a rebuild that was stopped goes on where it was
  --help           this text

Works beside the running product (found by DATA_DIR) and without it.`

/** Enough to tell "a little behind" from "far behind". */
const COUNTED = 10_000

async function list({ storage }: Core): Promise<number> {
  const targets = await listTargets(storage.pool)
  for (const { name, version, tables } of allProjections) {
    print(`${name}  version ${version}  ${tables.map((table) => table.name).join(', ')}`)
    for (const target of targets.filter((one) => one.name === name)) print(`  ${schemaOf(target)}  ${target.state}`)
  }
  return 0
}

async function status(core: Core): Promise<number> {
  const targets = await listTargets(core.storage.pool)
  const held = await countQuarantined(core.storage.pool)
  let wrong = 0
  for (const { name } of allProjections) {
    const own = targets.filter((target) => target.name === name && target.state !== 'retired')
    if (!own.some(({ state }) => state === 'live')) wrong++
    if (own.length === 0) print(`${name}  has no tables yet: they are made when the product starts`)
    for (const target of own) {
      const quarantined = target.state === 'live' ? (held.get(name) ?? 0) : 0
      if (target.error !== null || quarantined > 0) wrong++
      print(await statusLine(core, target, quarantined))
    }
  }
  return wrong > 0 ? 1 : 0
}

async function statusLine({ log }: Core, target: Target, quarantined: number): Promise<string> {
  const missing = await log.readAll(target.position, COUNTED)
  const many = missing.length === COUNTED ? `${COUNTED} or more` : String(missing.length)
  const seconds = missing[0] ? (Date.now() - missing[0].recordedAt.getTime()) / 1_000 : 0
  const parts = [
    target.name,
    schemaOf(target),
    target.state,
    `at ${target.position}`,
    missing.length === 0 ? 'up to date' : `${many} events and ${Math.ceil(seconds)} s behind`,
    `${quarantined} in quarantine`,
    ...(target.error === null ? [] : [`stuck: ${target.error}`]),
  ]
  return parts.join('  ')
}

async function rebuildNamed(core: Core, projection: Projection): Promise<number> {
  const stop = new AbortController()
  const stopNow = () => stop.abort(new Error('Stopped. The same command goes on from here.'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopNow)
  const bar = progressBar({ what: projection.name, total: 0, unit: 'events' })
  const onProgress = (progress: FillProgress) => {
    const share = shareDone(progress)
    bar.at(progress.done, share > 0 ? Math.round(progress.done / share) : progress.done)
  }
  const { log, codec, keys, storage } = core
  try {
    const deps = { log, codec, keys, pool: storage.pool, signal: stop.signal, onProgress }
    const { schema } = await rebuild(deps, projection)
    bar.end()
    print(`Readers of ${projection.name} see ${schema}.`)
    return 0
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stopNow)
  }
}

function taskOf([command, name]: readonly string[]): (core: Core) => Promise<number> {
  if (command === 'list' || command === 'status') {
    if (name !== undefined) throw new UsageError(`"${name}" is one word too many.`)
    return command === 'list' ? list : status
  }
  if (command !== 'rebuild') throw new UsageError(`There is no command "${command}".`)
  const projection = allProjections.find((one) => one.name === name)
  if (projection) return (core) => rebuildNamed(core, projection)
  const names = allProjections.map((one) => one.name).join(', ')
  throw new UsageError(`${name ? `There is no read model "${name}".` : 'Which one?'} There are: ${names}.`)
}

const print = (line: string) => void process.stdout.write(`${line}\n`)

await runCommand({
  help: HELP,
  options: {},
  words: { least: 1, most: 2 },
  run: ({ words }) => {
    const task = taskOf(words)
    return withParts({ need: ['postgres', 'log'] }, async ({ config, postgres, log }) => {
      const core = await openCore({ database: postgres.app, log, secrets: openSecrets(config) })
      return task(core).finally(() => core.close())
    })
  },
})
