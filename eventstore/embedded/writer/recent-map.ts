/**
 * A map that keeps at least the `max` entries written last and never holds more than twice as many. It forgets a whole
 * generation at once, because taking single oldest entries out of a large Map is slow.
 */
export class RecentMap<Value> {
  private young = new Map<string, Value>()
  private old = new Map<string, Value>()

  constructor(private readonly max: number) {}

  get(key: string): Value | undefined {
    return this.young.get(key) ?? this.old.get(key)
  }

  set(key: string, value: Value): void {
    if (this.young.size >= this.max) {
      this.old = this.young
      this.young = new Map()
    }
    this.young.set(key, value)
  }

  clear(): void {
    this.young = new Map()
    this.old = new Map()
  }
}
