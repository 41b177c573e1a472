import type pg from 'pg'
import type { Position } from '../../../domain/shared/recorded.ts'
import type { Log } from '../../../eventstore/log.ts'
import { tablePages } from '../../../eventstore/log-table.ts'
import { pause } from '../../../eventstore/retry.ts'
import type { ModelToFill } from './model.ts'
import { pagesAfter } from './pages.ts'
import { type BulkPage, type PassDeps, type Passenger, runPass } from './pass.ts'

export type PassesDeps = PassDeps & {
  readonly log: Pick<Log, 'readAll'>
  /** The database of the embedded log, if it is the log: its table is read directly. */
  readonly table?: pg.ClientConfig | undefined
  readonly signal: AbortSignal
}

/** Whoever is to come has come, once nobody came for so long. */
const GATHER_MS = 500

/**
 * Read models that are filled at about the same time go over the log in one pass. One pass at a time, so that they have one
 * limit of memory: who comes while one is under way goes with the next.
 */
export class Passes {
  private waiting: Passenger[] = []
  private running = false
  private onCome: () => void = () => undefined

  constructor(
    private readonly deps: PassesDeps,
    /** How many may come; the first pass waits for no more than them. */
    private readonly expected = 1,
  ) {}

  /** Brings a read model to its head, or throws why it is not there; what was written stays. */
  fill(model: ModelToFill): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (error?: unknown) => (error === undefined ? resolve() : reject(error as Error))
      this.waiting.push({ ...model, leave })
      this.onCome()
      if (!this.running) void this.run()
    })
  }

  private async run(): Promise<void> {
    this.running = true
    while (this.waiting.length > 0) {
      await this.gather()
      const passengers = this.waiting.splice(0)
      await runPass(this.deps, passengers, pagesFor(this.deps, passengers))
    }
    this.running = false
  }

  private async gather(): Promise<void> {
    for (let before = 0; before < this.waiting.length && this.waiting.length < this.expected; ) {
      before = this.waiting.length
      const come = new AbortController()
      this.onCome = () => come.abort()
      await pause(GATHER_MS, come.signal, this.deps.signal)
    }
  }
}

/** From the one that is furthest behind, to the furthest head; of the log's own table what one of them handles. */
async function* pagesFor({ log, table, signal }: PassesDeps, models: readonly ModelToFill[]): AsyncGenerator<BulkPage> {
  const sorted = (of: (model: ModelToFill) => Position) => models.map(of).sort()
  const after = sorted(({ target }) => target.position)[0]!
  const to = sorted(({ head }) => head)[models.length - 1]!
  const types = new Set(models.flatMap(({ projection }) => Object.keys(projection.when)))
  if (table) {
    yield* tablePages(table, { after, to, types: [...types], signal })
    return
  }
  for await (const page of pagesAfter(log, after, signal)) {
    const within = page.filter(({ position }) => position <= to)
    const last = within[within.length - 1]?.position
    if (last) yield { events: within.filter(({ type }) => types.has(type)), to: last, passed: within.length }
    if (within.length < page.length || last === to) return
  }
}
