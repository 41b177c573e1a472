/** One after the other, in the order of asking; one that fails keeps nobody. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work)
    this.last = turn.catch(() => undefined)
    return turn
  }
}
