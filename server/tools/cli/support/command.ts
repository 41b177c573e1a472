import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>
type Values<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O & { help: { type: 'boolean' } }; allowPositionals: true; strict: true }>
>['values']

/** The person asked for what the tool cannot do; its message names what to do instead. Ends the tool with code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export type Command<O extends Options> = {
  /** Printed for --help, and named after a wrong call. */
  help: string
  options: O
  /** By its first word, which options the tool has a use for then: another is refused and not passed over. Any where it is absent. */
  takes?: Readonly<Record<string, readonly (keyof O)[]>>
  /** How many words without a flag the tool takes; default none. */
  words?: { least: number; most: number }
  run(given: { values: Values<O>; words: readonly string[] }): Promise<number | undefined>
}

type Environment = Readonly<Record<string, string | undefined>>

/** Runs a tool and sets the exit code: 0, 1 for a failure, 2 for a wrong call, or what `run` answers. */
export async function runCommand<O extends Options>(
  command: Command<O>,
  args = process.argv.slice(2),
  env: Environment = process.env,
): Promise<void> {
  try {
    refuseTaken(Object.keys(command.options), args, env)
    const given = parse(command, args)
    if ('help' in given.values) return void process.stdout.write(`${command.help.trim()}\n`)
    process.exitCode = (await command.run(given)) ?? 0
  } catch (error) {
    const usage = error instanceof UsageError
    const text = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${text}\n${usage ? '--help shows what there is.\n' : ''}`)
    process.exitCode = usage ? 2 : 1
  }
}

function parse<O extends Options>(command: Command<O>, args: string[]) {
  const options = { ...command.options, help: { type: 'boolean' } } as O & { help: { type: 'boolean' } }
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true })
    if (!('help' in values)) {
      checkWords(positionals, command.words ?? { least: 0, most: 0 })
      refuseOther(positionals[0], Object.keys(values), command.takes)
    }
    return { values: values as Values<O>, words: positionals }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error))
  }
}

/**
 * An option before the "--" npm takes for a setting of its own, and leaves its value as a word: the tool would do
 * something else than was asked for.
 */
function refuseTaken(names: readonly string[], args: readonly string[], env: Environment): void {
  const taken = names.find((name) => {
    const set = env[`npm_config_${name.replace(/^no-/, '').replaceAll('-', '_')}`]
    const isTaken = name.startsWith('no-') ? set === '' : set !== undefined && set !== '' && set !== 'false'
    return isTaken && !args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`))
  })
  if (taken === undefined) return
  const script = env.npm_lifecycle_event ?? '<tool>'
  const call = script === 'start' ? 'npm start' : `npm run ${script}`
  throw new UsageError(`npm took --${taken} for itself. Options go behind "--": ${call} -- --${taken}`)
}

function refuseOther(
  word = '',
  given: readonly string[],
  takes: Readonly<Record<string, readonly unknown[]>> = {},
): void {
  const known = Object.hasOwn(takes, word) ? takes[word] : undefined
  const other = known && given.find((name) => !known.includes(name))
  if (other) throw new UsageError(`${word} takes no --${other}.`)
}

function checkWords(words: readonly string[], { least, most }: { least: number; most: number }): void {
  if (words.length < least) throw new UsageError('Something is missing after the command.')
  if (words.length > most) throw new UsageError(`"${words[most]}" is one word too many.`)
}
