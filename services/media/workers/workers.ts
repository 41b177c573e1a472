import { busy, failed, type UploadError } from '../kinds.ts'
import type { Derived, Deriving } from '../parse/deriving.ts'
import type { AnswerTo, Asked, Parsed, Parsing } from '../parse/parsing.ts'
import { WORKER_LIMITS, type WorkerLimits } from './limits.ts'
import { createTurns, type Turns } from './turns.ts'
import { type Crashed, type EndedBy, type MediaWorker, startWorker } from './worker.ts'

export type MediaWorkers = {
  /**
   * Refuses with `upload-failed` what ends its process, with `busy` what would wait too long or finds no process. Never
   * throws.
   */
  parse(uploader: string, parsing: Parsing): Promise<Parsed>
  /**
   * The same for forms of a picture that is there: all of them wait in one line, as if one uploader had sent them. Refuses
   * with `crash` where the process ends for another reason than the limits. What waits or is under way when `signal` ends is
   * given up.
   */
  derive(deriving: Deriving, signal?: AbortSignal): Promise<Derived | UploadError | Crashed>
  /** Of the processes that run. */
  pids(): number[]
  /** Ends all processes, and refuses what waits and what comes. */
  stop(): Promise<void>
}

/** Why a file is not taken for no fault of its own that is known. */
const BLAMELESS: ReadonlySet<string> = new Set(['busy', 'crash'])
/** What a file that was not taken counts: a picture takes its sender longer while others keep the cores busy with such files. */
const REFUSED_MS = 10_000
/** What a file counts by its size until it has ended: who sends a picture is before all who send large clips for the first time. */
const MS_PER_MIB = 100
const MIB = 1024 * 1024
/** No id of an uploader. */
const FORMS_LINE = 'forms'

type Options = Partial<WorkerLimits> & {
  readonly onEnded?: (by: EndedBy) => void
  /** Whose file comes next; by default of this process alone. */
  readonly turns?: Turns
  /** Default: a process of its own. */
  readonly startWith?: typeof startWorker
}

/** The processes that run. */
type Processes = {
  readonly running: ReadonlySet<MediaWorker>
  /** One that has nothing to do, or another; null where the system starts none. */
  take(): MediaWorker | null
  /** Another, unless one has nothing to do. */
  startNext(): void
  /** It has nothing to do, and ends unless it is taken before long. */
  rest(worker: MediaWorker): void
}

/** `begin` may throw that the system starts no process, or answer one without an id. */
function createProcesses(begin: () => MediaWorker, idleMs: number, onEnded: (by: EndedBy) => void): Processes {
  const running = new Set<MediaWorker>()
  /** Each with the timer that ends it. */
  const idle = new Map<MediaWorker, NodeJS.Timeout>()
  const start = () => {
    const worker = attempt(begin)
    if (worker?.pid === undefined) {
      onEnded('start')
      return null
    }
    running.add(worker)
    void worker.ended.then(() => {
      running.delete(worker)
      unrest(worker)
    })
    return worker
  }
  const rest = (worker: MediaWorker) => {
    const end = () => {
      unrest(worker)
      worker.kill()
    }
    idle.set(worker, setTimeout(end, idleMs).unref())
  }
  const unrest = (worker: MediaWorker) => {
    clearTimeout(idle.get(worker))
    idle.delete(worker)
    return worker
  }
  return {
    running,
    take() {
      const newest = [...idle.keys()].at(-1)
      return newest ? unrest(newest) : start()
    },
    startNext() {
      const next = idle.size === 0 ? start() : null
      if (next) rest(next)
    },
    rest,
  }
}

/** The processes that parse what members send. They start with the first file, and end when none has come for a while. */
export function createMediaWorkers({
  onEnded = () => undefined,
  turns: given,
  startWith = startWorker,
  ...lowered
}: Options = {}): MediaWorkers {
  const limits = { ...WORKER_LIMITS, ...lowered }
  const turns = given ?? createTurns(limits)
  const processes = createProcesses(() => startWith(limits, onEnded), limits.idleMs, onEnded)
  let stopped = false

  /** A file that takes so long is likely to end its process: whoever comes next finds another that has started. */
  const startNext = () => {
    if (!stopped) processes.startNext()
  }
  /** `note` hears what its process spent on it. */
  const ask = async <A extends Asked>(
    asked: A,
    { signal, note }: { signal?: AbortSignal | undefined; note?: (spentMs: number | undefined) => void } = {},
  ): Promise<AnswerTo<A> | UploadError | Crashed> => {
    const worker = stopped ? null : processes.take()
    if (!worker) return busy
    const late = setTimeout(startNext, limits.deadlineMs / 2)
    const answer = await worker.ask(asked, signal)
    clearTimeout(late)
    note?.(worker.spentMs())
    if (worker.isFit()) processes.rest(worker)
    else worker.kill()
    return answer
  }
  return {
    async parse(uploader, parsing) {
      let spent: number | undefined
      const note = (ms: number | undefined) => {
        spent = ms
      }
      // Counted before the next one begins, whoever that is.
      const work = async () => {
        const answer = await ask(parsing, { note })
        if (!answer.ok && !BLAMELESS.has(answer.reason)) turns.charge(uploader, REFUSED_MS)
        return answer
      }
      const expectedMs = Math.ceil((parsing.file.size / MIB) * MS_PER_MIB)
      return withoutCrash((await turns.inTurn(uploader, work, { expectedMs, spentMs: () => spent })) ?? busy)
    },
    derive: async (deriving, left) =>
      (await turns.inTurn(FORMS_LINE, () => ask(deriving, { signal: left }), { left })) ?? busy,
    pids: () => [...processes.running].flatMap(({ pid }) => pid ?? []),
    async stop() {
      stopped = true
      turns.close()
      for (const worker of processes.running) worker.kill()
      await Promise.all([...processes.running].map(({ ended }) => ended))
    },
  }
}

function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}

/** Whoever uploads a file learns no more than that it failed. */
const withoutCrash = (answer: Parsed | Crashed): Parsed => (!answer.ok && answer.reason === 'crash' ? failed : answer)
