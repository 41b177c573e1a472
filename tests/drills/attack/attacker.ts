import { text } from 'node:stream/consumers'
import { KINDS, type Target } from './kinds.ts'

/** A program of its own, so that it can be kept to one core: reads what to do, and does it for so long. */
const { names, seconds, url, addresses, tokens } = JSON.parse(await text(process.stdin)) as AttackOrder
const end = performance.now() + seconds * 1_000
const stopped = () => performance.now() > end
process.stdout.write('begun\n')
await Promise.all(
  names.map((name, at) => {
    const address = addresses[at % addresses.length] as string
    const target: Target = { url, port: Number(new URL(url).port), address, addresses, tokens, stopped }
    return KINDS[name]?.(target)
  }),
)
process.exit(0)

/** What comes on its standard input. */
export type AttackOrder = {
  readonly names: readonly string[]
  readonly seconds: number
  readonly url: string
  readonly addresses: readonly string[]
  readonly tokens: readonly string[]
}
