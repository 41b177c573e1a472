const ASK_AGAIN_MS = 500
const ASK_AGAIN_AT_MOST_MS = 8_000
const PATIENCE_MS = 2_500

/**
 * Asks now and again, since the read models may learn of a match after the page: with longer and longer waits. An answer that
 * is on its way is waited for, at first no longer than `PATIENCE_MS`, and each time twice as long: the router may have joined it to a read of the whole page,
 * and each time gives up the one before. Answers how to stop.
 */
export function keepAsking(isAsking: () => boolean, ask: () => void): () => void {
  let waitMs = ASK_AGAIN_MS
  let patienceMs = PATIENCE_MS
  let askedAt = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout>
  const next = () => {
    const isAwaited = isAsking()
    if (!isAwaited || performance.now() - askedAt > patienceMs) {
      if (isAwaited) patienceMs *= 2
      askedAt = performance.now()
      ask()
    }
    timer = setTimeout(next, waitMs)
    waitMs = Math.min(2 * waitMs, ASK_AGAIN_AT_MOST_MS)
  }
  next()
  return () => clearTimeout(timer)
}
