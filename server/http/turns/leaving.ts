/**
 * Whether who asked has left, and who wants to know. In place of an AbortSignal: each request has one, and what the platform
 * makes for a signal takes as long as all else before a turn.
 */
export class Leaving {
  private readonly listeners = new Set<() => void>()
  isLeft = false

  /** Calls `listener` once they leave. */
  on(listener: () => void): void {
    this.listeners.add(listener)
  }

  off(listener: () => void): void {
    this.listeners.delete(listener)
  }

  leave(): void {
    if (this.isLeft) return
    this.isLeft = true
    for (const listener of this.listeners) listener()
    this.listeners.clear()
  }
}
