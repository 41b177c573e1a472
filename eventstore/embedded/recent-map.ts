/** A map that forgets its longest untouched entries once it holds more than `max`. */
export class RecentMap<Value> {
  private readonly entries = new Map<string, Value>()

  constructor(private readonly max: number) {}

  get(key: string): Value | undefined {
    return this.entries.get(key)
  }

  set(key: string, value: Value): void {
    this.entries.delete(key)
    this.entries.set(key, value)
    if (this.entries.size <= this.max) return
    for (const oldest of this.entries.keys()) {
      this.entries.delete(oldest)
      break
    }
  }

  clear(): void {
    this.entries.clear()
  }
}
