import { setTimeout as wait } from 'node:timers/promises'

const FIRST_MS = 25
const LONGEST_MS = 2_000

/** Waits longer with every attempt, with jitter, so that many clients do not come back at once. */
export async function backOff(attempt: number, signal?: AbortSignal): Promise<void> {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt)
  await wait(ceiling * (0.5 + Math.random() / 2), undefined, signal && { signal }).catch(() => undefined)
}

/** An answer that takes longer is lost; what it would have been is not known. */
export class AnswerLost extends Error {
  override name = 'AnswerLost'
}

/** The client's own deadline does not hold against a silent server, so each answer is timed here. */
export async function withTimeout<T>(answer: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AnswerLost(`no answer in ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
