/** Asks one question at a time: whoever comes meanwhile gets its answer. */
export function oneAtATime<T>(ask: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | null = null
  return () => {
    pending ??= ask().finally(() => {
      pending = null
    })
    return pending
  }
}
