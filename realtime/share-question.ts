/** Asks once for all who want to know at the same time: whoever comes while it is asked gets the answer of the next. */
export function shareQuestion<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    next ??= asking.then(() => {
      next = undefined
      const answer = ask()
      asking = answer.catch(() => undefined)
      return answer
    })
    return next
  }
}
