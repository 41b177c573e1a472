import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { nodeArgs } from '../../../services/node-args.ts'
import { killChild } from './kill-child.ts'
import { ALLOCATOR, heapArgs } from './memory.ts'
import { EXIT_BY_SIGNAL, onStopSignal } from './stop-signals.ts'

export type RestartedProgram = {
  /** The program's main file; it reports by `reportReady` that it is up. */
  readonly file: URL
  readonly args: readonly string[]
  /** Signals that follow this soon are the same one. */
  readonly echoMs: number
  readonly print: (text: string) => void
  /** Before the first new start; each later one waits twice as long, up to a hundred times that. */
  readonly firstPauseMs?: number
  /** How long it may fail to get up again, as while its database is away. */
  readonly patienceMs?: number
  /** Deaths within so long count together. */
  readonly withinMs?: number
}

const READY = 'ready'
/** A program that dies this often within this time, each time once it was up, has something that no start heals. */
const DEATHS = 5
const WITHIN_MS = 60_000
const FIRST_PAUSE_MS = 100
const PATIENCE_MS = 600_000

/**
 * Runs a program as a child and starts it again when it dies: out of memory, killed, by a fault of its
 * own. One that never got ready, ended well or was asked to stop is not; one that was up and does not get up again is
 * tried for ten minutes. Resolves with the exit code.
 */
export async function runRestarted(options: RestartedProgram): Promise<number> {
  const { file, args, echoMs, print } = options
  let child: ChildProcess | undefined
  const stop = new AbortController()
  const { signal: stopping } = stop
  onStopSignal(() => {
    stop.abort()
    if (child) killChild(child, 'SIGTERM')
  }, echoMs)
  const deaths = new Deaths(options)
  for (;;) {
    let isUp = false
    // A terminal's Ctrl-C reaches this process alone, which passes it on once.
    const execArgv = [...heapArgs(), ...process.execArgv, ...nodeArgs(file)]
    child = fork(fileURLToPath(file), args, { execArgv, env: { ...ALLOCATOR, ...process.env }, detached: true })
    child.on('message', (message) => {
      if (message === READY) isUp = true
    })
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    if (stopping.aborted || code === 0) return code ?? EXIT_BY_SIGNAL
    const next = deaths.after(isUp)
    if (next === null) return code ?? EXIT_BY_SIGNAL
    const why = signal ? `by ${signal}` : `with code ${code}`
    if ('givenUp' in next) {
      print(`The program ${next.givenUp}, now ${why}; it is not started again.`)
      return code ?? 1
    }
    print(`The program ended ${why}; it is started again.`)
    await pause(next.pauseMs, undefined, { signal: stopping }).catch(() => undefined)
    if (stopping.aborted) return 0
  }
}

/** What a death asks for: a new start, the end, or nothing where it was never up. */
class Deaths {
  private readonly whileUp: number[] = []
  private inRow = 0
  private downSince: number | null = null

  constructor(private readonly options: Pick<RestartedProgram, 'firstPauseMs' | 'patienceMs' | 'withinMs'>) {}

  after(wasUp: boolean): { pauseMs: number } | { givenUp: string } | null {
    const { firstPauseMs = FIRST_PAUSE_MS, patienceMs = PATIENCE_MS, withinMs = WITHIN_MS } = this.options
    const now = performance.now()
    if (wasUp) this.whileUp.push(now)
    if (this.whileUp.length === 0) return null
    if (wasUp || this.downSince === null) this.downSince = now
    const recent = this.whileUp.filter((at) => now - at < withinMs).length
    if (recent >= DEATHS) return { givenUp: `ended ${recent} times within a minute` }
    if (now - this.downSince > patienceMs)
      return { givenUp: `did not get up again for ${Math.round(patienceMs / 60_000)} minutes` }
    this.inRow = wasUp ? recent : this.inRow + 1
    return { pauseMs: firstPauseMs * Math.min(100, 2 ** (this.inRow - 1)) }
  }
}

/** Notifies the process that keeps this one running, if there is one, that it is up; calls back once that is sent. */
export function reportReady(onSent: () => void = () => undefined): void {
  process.send?.(READY, undefined, undefined, onSent)
}

/** Calls back when the process that keeps this one running is gone. */
export function onKeeperGone(stop: () => void): void {
  if (process.connected) process.once('disconnect', stop)
}
