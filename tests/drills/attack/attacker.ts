import { text } from 'node:stream/consumers'
import { KINDS } from './kinds.ts'
import { type Absent, type Counted, Tally } from './target.ts'

/**
 * A program of its own, so that it can be kept to one core: reads what to do, writes a line once it begins, does it for so
 * long, and writes what came of it.
 */
const { names, seconds, url, addresses, tokens, absent } = JSON.parse(await text(process.stdin)) as AttackOrder
const attacks = await Promise.all(names.map((name) => KINDS[name]!.begin()))
process.stdout.write('begun\n')
const end = performance.now() + seconds * 1_000
const stopped = () => performance.now() > end
const port = Number(new URL(url).port)
const counted = await Promise.all(
  attacks.map(async (attack, at) => {
    const tally = new Tally()
    const address = addresses[at % addresses.length] as string
    await attack({ url, port, address, addresses, tokens, absent, stopped, tally })
    return [names[at], tally.counted]
  }),
)
process.stdout.write(`${JSON.stringify(Object.fromEntries(counted))}\n`, () => process.exit(0))

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
