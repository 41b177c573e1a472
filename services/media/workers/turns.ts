import { minutes } from '../../../domain/shared/dates.ts'
import { createRecent } from '../../limits/recent.ts'
import type { WorkerLimits } from './limits.ts'
import { createLines } from './lines.ts'

/**
 * `left`: ends once nobody waits for the file. `expectedMs`: what it counts for its uploader until it has ended. `spentMs`:
 * what it counts once it has, where that is known; otherwise as long as it took.
 */
export type TurnRules = {
  readonly left?: AbortSignal | undefined
  readonly expectedMs?: number | undefined
  readonly spentMs?: (() => number | undefined) | undefined
}

export type Turns = {
  /**
   * The work's answer, or null where it was not begun: too many wait, it waited too long, `left` has ended, or `close` was
   * called.
   */
  inTurn<T>(uploader: string, work: () => Promise<T>, rules?: TurnRules): Promise<T | null>
  /** So many milliseconds count for the uploader beside those that their files took. */
  charge(uploader: string, ms: number): void
  /** Nothing begins any more. */
  close(): void
}

/** Of one file of late: no picture spends so much, and few clips do. */
const COSTLY_MS = 2_000
/** Of the one under way, by the clock: few pictures take so long beside all attacks at once. */
const LONG_MS = 6_000
/** Who differs by less has spent alike. */
const ALIKE_MS = 1_000
/** Of what one file is expected to take: it is larger than any picture may be (15 MiB). */
const LARGE_MS = 1_600
/** Nobody waits for what was long ago. */
const HALF_LIFE_MS = minutes(5)

/**
 * Each uploader has one file under way. Of those who wait, whoever's files have spent least of late comes next, and of those
 * who spent alike whoever has waited longest since their last one began: slow files delay their own sender first, however
 * many there are, and twenty who send for the first time do not keep going before who sent a picture a minute ago. Whoever
 * sent a costly file, or sends a large one, shares all places but one with the others who did, where there are several: the
 * next picture finds a place beside files without end, and beside twenty large clips. When too many wait, whoever has sent
 * most loses the newest. `clock`: milliseconds since any moment.
 */
export function createTurns(
  { workers, mostWaiting, waitMs }: WorkerLimits,
  clock: () => number = () => performance.now(),
): Turns {
  /** Each uploader with when their file began. */
  const underWay = new Map<string, number>()
  const lines = createLines(waitMs)
  const expected = createExpected()
  const taken = createRecent(HALF_LIFE_MS, clock)
  const longest = createRecent(HALF_LIFE_MS, clock)
  let closed = false

  const countOf = (uploader: string) => taken.of(uploader) + expected.of(uploader)
  const rankOf = (uploader: string) => Math.floor(countOf(uploader) / ALIKE_MS)
  const isCostly = (uploader: string) => {
    const began = underWay.get(uploader) ?? clock()
    return expected.hasLarge(uploader) || longest.of(uploader) >= COSTLY_MS || clock() - began >= LONG_MS
  }
  const beginNext = () => {
    if (underWay.size >= workers) return
    const isRoomForCostly = [...underWay.keys()].filter(isCostly).length < Math.max(1, workers - 1)
    const mayBegin = (uploader: string) => !underWay.has(uploader) && (isRoomForCostly || !isCostly(uploader))
    const free = lines.uploaders().filter(mayBegin)
    const [next] = free.sort((a, b) => rankOf(a) - rankOf(b))
    if (next === undefined) return
    underWay.set(next, clock())
    lines.beginFirst(next)
  }
  return {
    async inTurn(uploader, work, { left, expectedMs = 0, spentMs } = {}) {
      if (closed || left?.aborted) return null
      expected.begin(uploader, expectedMs)
      const begins = lines.wait(uploader, left)
      beginNext()
      lines.cutTo(mostWaiting)
      if (!(await begins)) {
        expected.end(uploader, expectedMs)
        beginNext()
        return null
      }
      const began = clock()
      try {
        return await work()
      } finally {
        const ms = spentMs?.() ?? clock() - began
        expected.end(uploader, expectedMs)
        taken.add(uploader, ms)
        longest.raise(uploader, ms)
        underWay.delete(uploader)
        beginNext()
      }
    },
    charge: taken.add,
    close() {
      closed = true
      lines.cutTo(0)
    },
  }
}

/** What files that have not ended count for their uploaders: it does not fade, or they would take back more than they were. */
function createExpected() {
  const files = new Map<string, readonly number[]>()
  const of = (uploader: string) => files.get(uploader) ?? []
  return {
    of: (uploader: string) => of(uploader).reduce((sum, ms) => sum + ms, 0),
    hasLarge: (uploader: string) => of(uploader).some((ms) => ms >= LARGE_MS),
    begin: (uploader: string, ms: number) => void files.set(uploader, [...of(uploader), ms]),
    end(uploader: string, ms: number) {
      const left = of(uploader).toSpliced(of(uploader).indexOf(ms), 1)
      if (left.length > 0) files.set(uploader, left)
      else files.delete(uploader)
    },
  }
}
