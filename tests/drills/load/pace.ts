import { setTimeout as pause } from 'node:timers/promises'

const TICK_MS = 4

/** `behindSeconds`: so many seconds of requests without an answer, and no more are sent: the product is behind for good. */
export type Pace = { readonly perSecond: number; readonly seconds: number; readonly behindSeconds: number }
/** What came of one request: null, or why it was no answer that a member should get. */
export type Send = (turn: number) => Promise<string | null>
/** Milliseconds of each, from when it was due; `fellBehind`: it was cut off before its time. */
export type Paced = { readonly ms: number[]; readonly wrong: string[]; readonly fellBehind: boolean }

/**
 * Sends so many a second whether or not the ones before have an answer, as members do: a product that is too slow has a
 * queue, and what waits in it counts.
 */
export async function atPace(pace: Pace, first: number, send: Send): Promise<Paced> {
  const { perSecond, seconds, behindSeconds } = pace
  const paced = { ms: [] as number[], wrong: [] as string[], fellBehind: false }
  const total = Math.round(perSecond * seconds)
  const startedAt = performance.now()
  let open = 0
  const one = async (turn: number) => {
    const dueAt = startedAt + (turn * 1_000) / perSecond
    open += 1
    const problem = await send(first + turn).catch((error: Error) => error.message)
    open -= 1
    paced.ms.push(performance.now() - dueAt)
    if (problem) paced.wrong.push(problem)
  }
  const sent: Promise<void>[] = []
  while (sent.length < total && !paced.fellBehind) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) * perSecond) / 1_000) + 1)
    while (sent.length < due) sent.push(one(sent.length))
    paced.fellBehind = open > perSecond * behindSeconds
    await pause(TICK_MS)
  }
  await Promise.all(sent)
  return paced
}
