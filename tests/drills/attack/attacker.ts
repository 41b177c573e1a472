import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { KINDS } from './kinds.ts'
import { type Absent, type Counted, Tally } from './target.ts'

/** For answers that are on their way when its time is over. */
const GRACE_MS = 10_000

/**
 * A program of its own, so that it can be kept to one core: reads what to do, writes a line once it begins, does it for so
 * long, and writes what came of it.
 */
const { names, seconds, url, addresses, tokens, absent } = JSON.parse(await text(process.stdin)) as AttackOrder
const attacks = await Promise.all(names.map((name) => KINDS[name]!.begin()))
process.stdout.write('begun\n')
const end = performance.now() + seconds * 1_000
const target = {
  url,
  port: Number(new URL(url).port),
  addresses,
  tokens,
  absent,
  stopped: () => performance.now() > end,
}
const tallies = names.map(() => new Tally())
const attacking = attacks.map((attack, at) =>
  attack({ ...target, address: addresses[at % addresses.length]!, tally: tallies[at]! }),
)
await Promise.race([Promise.all(attacking), pause(seconds * 1_000 + GRACE_MS)])
const counted = Object.fromEntries(names.map((name, at) => [name, tallies[at]!.counted]))
process.stdout.write(`${JSON.stringify(counted)}\n`, () => process.exit(0))

/** What comes on its standard input. */
export type AttackOrder = {
  readonly names: readonly string[]
  readonly seconds: number
  readonly url: string
  readonly addresses: readonly string[]
  readonly tokens: readonly string[]
  readonly absent: readonly Absent[]
}
/** What it writes at the end, by name. */
export type AttackOutcome = Readonly<Record<string, Counted>>
