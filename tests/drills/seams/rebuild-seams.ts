import { randomInt } from 'node:crypto'
import { drilled } from '../projector-load.ts'
import { type EngineChild, startEngine } from './engine-child.ts'

/** `at`: the points of this part of a rebuild; it passes about so many. */
type Part = { readonly doing: string; readonly at: string; readonly about: number }

const PARTS: readonly Part[] = [
  { doing: 'fill', at: '^(before|after) .*copy "?p_', about: 6 },
  { doing: 'index', at: '^(before|after) .*create (unique )?index', about: 6 },
  { doing: 'verify', at: '^(before|after) .*(for share|read only|hashtextextended)', about: 8 },
  { doing: 'swap', at: '^(before|after) .*(for update|projection_swap|read\\.|drop schema)', about: 16 },
]
/** A rebuild that passes fewer points than it was to die at ends by itself, and another one is tried. */
const TRIES = 30

/**
 * Kills so many rebuilds in each of their parts, beside a projector that keeps running. Answers how many ended by
 * themselves. Throws when no rebuild passes what a part is known by.
 */
export async function killRebuilds(
  child: EngineChild,
  kills: number,
  died: (doing: string, point: string) => Promise<void>,
): Promise<number> {
  const projector = startEngine(child)
  let rebuilds = 0
  try {
    for (let kill = 0; kill < kills; kill++) {
      for (const part of PARTS) {
        const { point, ended } = await killedIn(child, part, kill + rebuilds)
        rebuilds += ended
        await died(part.doing, point)
      }
    }
    return rebuilds
  } finally {
    await projector.kill()
  }
}

async function killedIn(child: EngineChild, { doing, at, about }: Part, turn: number) {
  for (let ended = 0; ended < TRIES; ended++) {
    const { name } = drilled[(turn + ended) % drilled.length]!
    // The later it was to die in vain, the earlier the next one is.
    const seam = { at, nth: 1 + randomInt(Math.max(1, about - 2 * ended)) }
    const point = await startEngine({ ...child, rebuild: [name] }, seam).ended
    if (point !== null) return { point, ended }
  }
  throw new Error(`No rebuild died while it did this: ${doing}`)
}
