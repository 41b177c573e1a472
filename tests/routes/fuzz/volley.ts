import fc from 'fast-check'
import { expect } from 'vitest'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

/** `FUZZ_SEED=7 FUZZ_REQUESTS=20000 FUZZ_FILES=400 npx vitest run --project routes tests/routes/fuzz`: others, and more. */
export const SEED = Number(process.env.FUZZ_SEED ?? 20_260_101)
const GRAZ = { lat: 47.07, lng: 15.44 }

/** A product with three members, of whom two are a match and have one message; `ids` are theirs, and one of nobody. */
export type Fuzzed = {
  readonly world: World
  readonly people: readonly [Person, Person, Person]
  readonly ids: readonly string[]
}

export async function startFuzzed(): Promise<Fuzzed> {
  const world = await startWorld()
  const [ann, bea] = [await world.join('Ann', { location: GRAZ }), await world.join('Bea', { location: GRAZ })]
  const people = [ann, bea, await world.join('Cat')] as const
  await world.match(ann, bea)
  await world.settled()
  await world.sendMessage(ann, bea, 'Hello', 'message-1')
  await world.settled()
  return { world, people, ids: [...people.map(({ id }) => id), '0123456789abcdefghijklmn', 'message-1'] }
}

/** What came back of one request: its status, and what is wrong with it where something is. */
export type Judged = { readonly status: number; readonly wrong?: string }
export type Volley = { readonly requests: number; readonly atOnce: number }
type Wanted = Volley & { readonly variable?: string; readonly msEach?: number }

/** So many as the variable of the environment asks for, else its own number; and the milliseconds that they may take. */
export function volley({ requests, atOnce, variable = 'FUZZ_REQUESTS', msEach = 80 }: Wanted) {
  const count = Number(process.env[variable] ?? requests)
  return { requests: count, atOnce, limitMs: 120_000 + count * msEach }
}

/** `musts`: one of each is sent, before what is left of the volley's number by chance. */
export type Shots<T> = { readonly musts: readonly fc.Arbitrary<T>[]; readonly others: fc.Arbitrary<T> }

/** Longer than anything of the product may take. */
const HANGS_MS = 30_000

/** Whatever is still on its way once the time is over counts as wrong. */
const soon = (judging: Promise<Judged>): Promise<Judged> =>
  new Promise((resolve, reject) => {
    const late = { status: 0, wrong: `No answer within ${HANGS_MS} ms.` }
    AbortSignal.timeout(HANGS_MS).addEventListener('abort', () => resolve(late))
    judging.then(resolve, reject)
  })

/** Sends them, some at once, and expects that nothing was wrong with any answer, and that each came. */
export async function fire<T>(
  { requests, atOnce }: Volley,
  { musts, others }: Shots<T>,
  shoot: (shot: T) => Promise<Judged>,
): Promise<void> {
  const statuses: Record<number, number> = {}
  const wrong: string[] = []
  const first = musts.flatMap((one, at) => fc.sample(one, { seed: SEED + at, numRuns: 1 }))
  const more = fc.sample(others, { seed: SEED, numRuns: Math.max(requests - first.length, 0) })
  const left = [...more, ...first]
  const sent = left.length
  const worker = async () => {
    for (let shot = left.pop(); shot !== undefined; shot = left.pop()) {
      const judged = await soon(shoot(shot))
      statuses[judged.status] = (statuses[judged.status] ?? 0) + 1
      if (judged.wrong)
        wrong.push(judged.status === 0 ? `${judged.wrong} ${fc.stringify(shot).slice(0, 300)}` : judged.wrong)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  expect(wrong).toEqual([])
  console.info(`${sent} requests by status: ${JSON.stringify(statuses)}`)
}
