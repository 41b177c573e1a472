/** Work that waits for so long is done although more comes. */
const PATIENCE_MS = 50

/**
 * What comes, and work until the next comes, or once a while where it comes without a break. `work` answers whether any is left;
 * where it only waits, it waits no longer than until `next` settles.
 */
export async function* workingBetween<T>(
  coming: AsyncIterable<T>,
  work: (next: Promise<unknown>) => Promise<boolean>,
): AsyncGenerator<T> {
  const all = coming[Symbol.asyncIterator]()
  let workedAt = 0
  try {
    for (;;) {
      let came = false
      const next = all.next().finally(() => {
        came = true
      })
      // Its error is thrown below, once the work is done.
      const settled = next.catch(() => undefined)
      // What is there already comes first.
      await new Promise(setImmediate)
      for (let isLeft = true; isLeft && (!came || performance.now() - workedAt > PATIENCE_MS); ) {
        isLeft = await work(settled)
        workedAt = performance.now()
      }
      const { value, done } = await next
      if (done) return
      yield value
    }
  } finally {
    await all.return?.()
  }
}
