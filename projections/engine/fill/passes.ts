import type { Position } from '../../../domain/shared/recorded.ts'
import type { LogPage } from '../../../eventstore/log-table.ts'
import { pause } from '../../../eventstore/retry.ts'
import { passedBy } from '../fold.ts'
import { Turns } from '../turns.ts'
import type { ModelToFill } from './model.ts'
import { type PageSource, pagesBetween } from './pages.ts'
import { type PassDeps, type Passenger, runPass } from './pass.ts'

export type PassesDeps = PassDeps & PageSource

/** A pass starts once no read model has joined it for so long. */
const GATHER_MS = 500

/**
 * Read models that are filled at about the same time go over the log in one pass. One pass at a time, so that they have one
 * limit of memory: who comes while one is under way goes with the next.
 */
export class Passes {
  private waiting: Passenger[] = []
  private running = false
  private onCome: () => void = () => undefined
  /** What follows a pass: one read model at a time. */
  readonly turns = new Turns()

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

/** From the one that is furthest behind, to the furthest head: what concerns any of them. */
function pagesFor(deps: PassesDeps, models: readonly ModelToFill[]): AsyncGenerator<LogPage> {
  const sorted = (of: (model: ModelToFill) => Position) => models.map(of).sort()
  const after = sorted(({ target }) => target.position)[0]!
  const to = sorted(({ head }) => head)[models.length - 1]!
  const without = passedBy(models.map(({ projection }) => projection))
  return pagesBetween(deps, { after, to, without })
}
