/** Lets everybody through, and now and then one alone. */
export class Gate {
  private inside = 0
  private shut: Promise<void> | undefined
  private emptied: (() => void) | undefined

  async pass<T>(work: () => Promise<T>): Promise<T> {
    while (this.shut) await this.shut
    this.inside++
    try {
      return await work()
    } finally {
      if (--this.inside === 0) this.emptied?.()
    }
  }

  /**
   * Keeps others waiting, and works once those inside have left; undefined when they do not leave within `patienceMs`.
   * One at a time may ask.
   */
  async alone<T>(patienceMs: number, work: () => Promise<T>): Promise<T | undefined> {
    let open = () => {}
    this.shut = new Promise((resolve) => {
      open = resolve
    })
    try {
      return (await this.isEmptied(patienceMs)) ? await work() : undefined
    } finally {
      this.shut = undefined
      open()
    }
  }

  private async isEmptied(patienceMs: number): Promise<boolean> {
    if (this.inside === 0) return true
    let patience: NodeJS.Timeout | undefined
    return new Promise<boolean>((resolve) => {
      this.emptied = () => resolve(true)
      patience = setTimeout(() => resolve(false), patienceMs)
    }).finally(() => {
      clearTimeout(patience)
      this.emptied = undefined
    })
  }
}
