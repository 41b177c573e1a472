import { setTimeout as wait } from 'node:timers/promises'

const FIRST_MS = 25
const LONGEST_MS = 2_000

/** Waits longer with every attempt, with jitter, so that many clients do not come back at once. */
export function backOff(attempt: number, ...until: readonly (AbortSignal | undefined)[]): Promise<void> {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt)
  return pause(ceiling * (0.5 + Math.random() / 2), ...until)
}

/** Resolves after the time or when one of the signals ends. They keep nothing of it, as they would of `AbortSignal.any`. */
export async function pause(ms: number, ...until: readonly (AbortSignal | undefined)[]): Promise<void> {
  const ending = new AbortController()
  const end = () => ending.abort()
  for (const signal of until) {
    if (signal?.aborted) end()
    signal?.addEventListener('abort', end, { once: true })
  }
  await wait(ms, undefined, { signal: ending.signal }).catch(() => undefined)
  for (const signal of until) signal?.removeEventListener('abort', end)
}

/**
 * Asks until there is an answer, each time later. `failed` gets why there was none, and throws what another try cannot mend.
 * Throws why a signal has ended.
 */
export async function untilAnswered<T>(
  ask: (attempt: number) => Promise<T>,
  failed: (error: unknown) => void,
  ...until: readonly AbortSignal[]
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask(attempt)
    } catch (error) {
      failed(error)
      await backOff(attempt, ...until)
      for (const signal of until) signal.throwIfAborted()
    }
  }
}

/**
 * Does the work again whenever it ends or throws, until the signal aborts: each time later, and soon again once it
 * called `gotOn`; with `everyMs` always after so long. What it throws is reported, unless the signal ended it.
 */
export async function keepRunning(
  signal: AbortSignal,
  work: (gotOn: () => void) => Promise<void>,
  report: (error: unknown) => void | Promise<void>,
  everyMs?: number,
): Promise<void> {
  let attempt = 0
  const gotOn = () => {
    attempt = 0
  }
  while (!signal.aborted) {
    try {
      await work(gotOn)
    } catch (error) {
      if (!signal.aborted) await report(error)
    }
    if (!signal.aborted) await (everyMs === undefined ? backOff(attempt++, signal) : pause(everyMs, signal))
  }
}

/** Gets every failure and every success of some work, and reports a failure once, until one of another name or a success comes. */
export function onceEachTime(report: (error: unknown) => void): { failed(error: unknown): void; worked(): void } {
  let known: string | undefined
  return {
    failed(error) {
      const why = error instanceof Error ? error.name : 'unknown'
      if (why !== known) report(error)
      known = why
    },
    worked() {
      known = undefined
    },
  }
}

/** An answer that takes longer is lost; what it would have been is not known. */
export class AnswerLost extends Error {
  override name = 'AnswerLost'
}

/** Why a signal ends whose question is answered; made once, since the default is an exception for each. */
const ANSWERED = new Error('answered')

/**
 * Hands `work` a signal that ends with its time, with `until`, or with the answer, so that nothing asked stays open.
 * The client's own deadline does not hold against a silent server. Rejects with AnswerLost, or with why `until` ended.
 */
export async function answered<T>(
  work: (signal: AbortSignal) => Promise<T>,
  ms: number,
  until: readonly AbortSignal[] = [],
): Promise<T> {
  const ending = new AbortController()
  const lost = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason), { once: true })
  })
  lost.catch(() => undefined)
  const timer = setTimeout(() => ending.abort(new AnswerLost(`no answer in ${ms} ms`)), ms)
  const links = until.map((signal) => {
    const end = () => ending.abort(signal.reason)
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    return () => signal.removeEventListener('abort', end)
  })
  try {
    ending.signal.throwIfAborted()
    return await Promise.race([work(ending.signal), lost])
  } finally {
    clearTimeout(timer)
    for (const unlink of links) unlink()
    ending.abort(ANSWERED)
  }
}

/**
 * For answers that nobody can call off: as `answered`, without the cost of a signal of its own. Rejects with AnswerLost, or
 * with why `until` ended.
 */
export async function withTimeout<T>(answer: Promise<T>, ms: number, until?: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      until?.removeEventListener('abort', end)
    }
    const fail = (error: unknown) => {
      leave()
      reject(error)
    }
    const end = () => fail(until?.reason)
    const timer = setTimeout(() => fail(new AnswerLost(`no answer in ${ms} ms`)), ms)
    until?.addEventListener('abort', end)
    if (until?.aborted) end()
    answer.then((value) => {
      leave()
      resolve(value)
    }, fail)
  })
}
