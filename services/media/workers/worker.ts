import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { nodeArgs } from '../../node-args.ts'
import { failed, type UploadError } from '../kinds.ts'
import type { Answered, AnswerTo, Asked } from '../parse/parsing.ts'
import { giveWay } from './give-way.ts'
import type { WorkerLimits } from './limits.ts'
import { residentOf } from './resident.ts'

const PROGRAM = new URL('../parse/media-process.ts', import.meta.url)
/** What a process needs to find its libraries and its folder for passing files. It gets no secret and no address. */
const ENVIRONMENT = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP']
const READY_MS = 30_000
const SAMPLE_MS = 50

/**
 * Why a process ended in the middle of a file. `crash`: by itself, or by whoever else may end it; `start`: the system began
 * none.
 */
export type EndedBy = 'deadline' | 'memory' | 'crash' | 'start'
/** Or because nobody wants its answer any more. */
type KilledBy = Exclude<EndedBy, 'start'> | 'signal'

/** The process ended in the middle of the file, for no fault of the file's that is known. */
export type Crashed = { readonly ok: false; readonly reason: 'crash' }
const crashed: Crashed = { ok: false, reason: 'crash' }

/** A process that opens one file after the other. */
export type MediaWorker = {
  readonly pid: number | undefined
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>
  /** Refuses the file when the process is killed for it, or ends otherwise; `signal` kills it. One at a time. */
  ask<A extends Asked>(asked: A, signal?: AbortSignal): Promise<AnswerTo<A> | UploadError | Crashed>
  /** Whether another file may follow the one that it answered last. */
  isFit(): boolean
  /** Milliseconds of processors that the file which it was asked last took; unknown where it did not answer. */
  spentMs(): number | undefined
  kill(): void
}

/** A process of its own, since a loop of microtasks, or a decoder's memory, can be ended no other way. */
export function startWorker(limits: WorkerLimits, onEnded: (by: EndedBy) => void): MediaWorker {
  const program = limits.program ?? PROGRAM
  const child = fork(fileURLToPath(program), [String(process.pid), String(limits.memoryBytes)], {
    execArgv: nodeArgs(program),
    env: environment(),
    serialization: 'advanced',
    detached: true,
    // What a parser writes is made of bytes that a stranger chose, as many as they like.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  let givesWay = giveWay(child)
  const ready = nextMessage(child)
  const resident = residentOf(child)
  const kill = () => void child.kill('SIGKILL')
  let last: Answered | undefined
  return {
    pid: child.pid,
    ended,
    kill,
    async ask<A extends Asked>(asked: A, signal?: AbortSignal) {
      if (!givesWay) givesWay = giveWay(child)
      keepAlive(child, true)
      const starting = setTimeout(kill, READY_MS)
      await Promise.race([ready, ended])
      clearTimeout(starting)
      const answer = nextMessage(child)
      child.send(asked, () => undefined)
      const watching = watch(child, { ...limits, signal }, resident)
      try {
        const answered = await Promise.race([answer as Promise<Answered<A>>, ended])
        last = answered ?? undefined
        if (answered) return answered.answer
        const by = watching.endedBy()
        if (by === 'signal') return crashed
        onEnded(by)
        return by === 'crash' ? crashed : failed
      } finally {
        watching.stop()
        keepAlive(child, false)
      }
    },
    // A refused file may have left something running, a large one memory that the next would be blamed for.
    isFit: () => Boolean(last?.settled) && isAlive(child) && isFree(resident(), limits.memoryBytes / 3),
    spentMs: () => last?.spentMs,
  }
}

/** Of one whose end was noted; the channel closes at another moment. */
const isAlive = (child: ChildProcess) => child.connected && child.exitCode === null && child.signalCode === null

/** Linux reports no memory for a process that has ended and whose end was not noted yet. */
const isFree = (bytes: number | undefined, most: number) =>
  bytes === undefined ? process.platform !== 'linux' : bytes < most

const nextMessage = (child: ChildProcess) => new Promise<unknown>((resolve) => child.once('message', resolve))

/** Whether this process waits for the child before it ends. */
function keepAlive(child: ChildProcess, stays: boolean): void {
  if (stays) child.ref()
  else child.unref()
  // A child that has ended has no channel.
  if (stays) child.channel?.ref()
  else child.channel?.unref()
}

type Watching = WorkerLimits & { readonly signal: AbortSignal | undefined }

function watch(child: ChildProcess, { deadlineMs, memoryBytes, signal }: Watching, resident: () => number | undefined) {
  let by: KilledBy = 'crash'
  const kill = (why: KilledBy) => {
    if (child.kill('SIGKILL')) by = why
  }
  const giveUp = () => kill('signal')
  signal?.addEventListener('abort', giveUp, { once: true })
  if (signal?.aborted) giveUp()
  const deadline = setTimeout(() => kill('deadline'), deadlineMs)
  const sampling = setInterval(() => {
    if ((resident() ?? 0) > memoryBytes) kill('memory')
  }, SAMPLE_MS)
  return {
    endedBy: () => by,
    stop() {
      clearTimeout(deadline)
      clearInterval(sampling)
      signal?.removeEventListener('abort', giveUp)
    },
  }
}

function environment(): NodeJS.ProcessEnv {
  const given = ENVIRONMENT.filter((name) => process.env[name] !== undefined)
  return { NODE_ENV: 'production', ...Object.fromEntries(given.map((name) => [name, process.env[name]])) }
}
