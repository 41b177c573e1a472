import { randomUUID } from 'node:crypto'
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { LatLng } from '../../domain/shared/grid.ts'

/** How many there are where no number is given. */
export const DEMO_MEMBERS = 300

const Wish = z.object({
  key: z.string(),
  members: z.int(),
  seed: z.int(),
  today: z.coerce.date(),
  around: z.object({ lat: z.number(), lng: z.number() }).optional(),
})
const Begun = z.object({ index: z.int(), id: z.string(), token: z.string() })

/** The proof of a sign-up that was begun: with it the same member is made again. */
export type Begun = Omit<z.infer<typeof Begun>, 'index'>

/**
 * A demo world in the making. `key` and `today` make ids and times the same however often it is taken up, so that what
 * was done already is not done twice.
 */
export type Plan = {
  readonly key: string
  readonly today: Date
  readonly seed: number
  readonly members: number
  readonly around?: LatLng
  begun(index: number): Begun | undefined
  begin(index: number, proof: Begun): void
  done(): void
}

type Wished = Pick<Plan, 'today' | 'seed' | 'members' | 'around'>

/** A plan that is not kept: interrupted, it stays as it is. */
export function passingPlan(wished: Wished): Plan {
  return { ...wished, key: randomUUID(), begun: () => undefined, begin: () => undefined, done: () => undefined }
}

const fileOf = (dataDir: string) => join(dataDir, 'demo-world.jsonl')

/** A plan that is kept in the data folder until it is done. */
export function keepPlan(dataDir: string, wished: Wished): Plan {
  const wish = { ...wished, key: randomUUID() }
  writeFileSync(fileOf(dataDir), `${JSON.stringify(wish)}\n`, { mode: 0o600 })
  return planFrom(dataDir, wish, new Map())
}

/** The plan of an interrupted start, or null. */
export function findPlan(dataDir: string): Plan | null {
  try {
    const [first = '', ...rest] = readFileSync(fileOf(dataDir), 'utf8').split('\n')
    const { around, ...wish } = Wish.parse(JSON.parse(first))
    return planFrom(dataDir, { ...wish, ...(around && { around }) }, new Map(rest.flatMap(lineOf)))
  } catch {
    return null
  }
}

/** Nothing of it is made: what was begun is not in the product any more. */
export const dropPlan = (dataDir: string): void => rmSync(fileOf(dataDir), { force: true })

/** The last line may be half written. */
function lineOf(line: string): [number, Begun][] {
  try {
    const { index, ...proof } = Begun.parse(JSON.parse(line))
    return [[index, proof]]
  } catch {
    return []
  }
}

function planFrom(dataDir: string, wish: Wished & { key: string }, known: Map<number, Begun>): Plan {
  return {
    ...wish,
    begun: (index) => known.get(index),
    begin: (index, proof) => appendFileSync(fileOf(dataDir), `${JSON.stringify({ index, ...proof })}\n`),
    done: () => dropPlan(dataDir),
  }
}
