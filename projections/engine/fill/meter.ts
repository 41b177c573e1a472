import type { Position } from '../../../domain/shared/recorded.ts'

/** `done` counts events since the filling began or resumed. */
export type FillProgress = {
  readonly phase: 'fill' | 'index' | 'verify' | 'swap'
  readonly from: Position
  readonly position: Position
  readonly head: Position
  readonly done: number
}

export type OnProgress = (progress: FillProgress) => void

/** Reports the progress of a filling. */
export class Meter {
  private done = 0

  constructor(
    private readonly onProgress: OnProgress | undefined,
    private readonly from: Position,
    private readonly head: Position,
  ) {}

  count(events: number, position: Position): void {
    this.done += events
    this.report('fill', position)
  }

  report(phase: FillProgress['phase'], position: Position): void {
    const head = position > this.head ? position : this.head
    this.onProgress?.({ phase, from: this.from, position, head, done: this.done })
  }
}
