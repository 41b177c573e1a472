type Handler<T> = (value: T) => void

/** Handlers by name; the type declares what each name carries. */
export class Emitter<Names extends object> {
  private readonly handlers = new Map<keyof Names, Set<Handler<never>>>()

  /** Answers how to take the handler off again. */
  on<N extends keyof Names>(name: N, handler: Handler<Names[N]>): () => void {
    const set = this.handlers.get(name) ?? new Set()
    this.handlers.set(name, set)
    set.add(handler as Handler<never>)
    return () => {
      set.delete(handler as Handler<never>)
    }
  }

  emit<N extends keyof Names>(name: N, value: Names[N]): void {
    for (const handler of [...(this.handlers.get(name) ?? [])]) (handler as Handler<Names[N]>)(value)
  }
}
