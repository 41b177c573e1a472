/** Runs work one at a time, in the order of the calls; work that fails does not stop what comes next. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work)
    this.last = turn.catch(() => undefined)
    return turn
  }
}
