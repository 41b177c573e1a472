/** What comes, and between any two at least one bit of work, and more until the next comes; `work` answers whether any is left. */
export async function* workingBetween<T>(coming: AsyncIterable<T>, work: () => Promise<boolean>): AsyncGenerator<T> {
  const all = coming[Symbol.asyncIterator]()
  try {
    for (;;) {
      let came = false
      const next = all.next().finally(() => {
        came = true
      })
      // Its error is thrown below, once the work is done.
      next.catch(() => undefined)
      let isLeft = await work()
      while (isLeft && !came) isLeft = await work()
      const { value, done } = await next
      if (done) return
      yield value
    }
  } finally {
    await all.return?.()
  }
}
