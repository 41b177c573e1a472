import { setInterval as every } from 'node:timers/promises'
import { cpuOf } from '../../support/programs/cpu.ts'
import { quantile } from '../attack/honest.ts'
import { footprintOf } from '../footprint.ts'

const EVERY_MS = 5_000

/**
 * Memory in MiB of the program itself, and its open descriptors beside the connections of who sends the load, in the middle of
 * the second and of the last quarter.
 */
export type Grown = { readonly mib: readonly [number, number]; readonly descriptors: readonly [number, number] }
/** Seconds of a processor that each second took: of the thread that runs our code, and of the whole program. */
export type Busy = { readonly main: number; readonly all: number }

/** Looks at a program from time to time while the work goes on. `connections`: how many the sender has open to it. */
export async function watched<T>(
  pid: number,
  work: Promise<T>,
  connections: () => number,
): Promise<T & { grown: Grown; busy: Busy }> {
  const look = () => {
    const { mib, descriptors } = footprintOf(pid)
    return { mib, descriptors: descriptors - connections() }
  }
  const [before, startedAt] = [cpuOf(pid), performance.now()]
  const samples = [look()]
  const over = new AbortController()
  const looking = (async () => {
    for await (const _ of every(EVERY_MS, null, { signal: over.signal })) samples.push(look())
  })().catch(() => undefined)
  const done = await work.finally(() => over.abort())
  await looking
  const [after, ms] = [cpuOf(pid), performance.now() - startedAt]
  samples.push(look())
  const share = (of: 'main' | 'all') => Math.round((100 * (after[of] - before[of])) / ms) / 100
  return { ...done, grown: grownOf(samples), busy: { main: share('main'), all: share('all') } }
}

function grownOf(samples: readonly { mib: number; descriptors: number }[]): Grown {
  const quarter = (at: number) =>
    samples.slice(Math.floor((samples.length * at) / 4), Math.ceil((samples.length * (at + 1)) / 4))
  const middle = (at: number, of: 'mib' | 'descriptors') =>
    quantile(
      quarter(at).map((sample) => sample[of]),
      0.5,
    )
  return {
    mib: [middle(1, 'mib'), middle(3, 'mib')],
    descriptors: [middle(1, 'descriptors'), middle(3, 'descriptors')],
  }
}
