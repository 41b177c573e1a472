import type { Figure } from './figures.ts'

/** How much is measured: turns of each side, how long each turn runs, and how many calls are timed one by one. */
export type Extent = {
  rounds: number
  seconds: number
  calls: number
  events: number
  members: number
  restSeconds: number
}

export const FULL: Extent = {
  rounds: 3,
  seconds: 1.5,
  calls: 200,
  events: 1_000_000,
  members: 1_000_000,
  restSeconds: 20,
}
/** Shows that everything works; too few to quote. */
export const SHORT: Extent = { rounds: 1, seconds: 0.5, calls: 30, events: 50_000, members: 100_000, restSeconds: 3 }

/** Called as soon as a figure is known, so that none is lost by what comes after it. */
export type Report = (figure: Figure) => void
