import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { nodeArgs } from '../../../services/node-args.ts'
import { EXIT_BY_SIGNAL, onStopSignal } from './stop-signals.ts'

export type KeepRunning = {
  /** The program's main file; it says by `reportReady` that it is up. */
  readonly file: URL
  readonly args: readonly string[]
  /** Signals that follow this soon are the same one. */
  readonly echoMs: number
  readonly print: (text: string) => void
}

const READY = 'ready'
/** A program that dies this often within this time has something that another start does not heal. */
const DEATHS = 5
const WITHIN_MS = 60_000
const FIRST_PAUSE_MS = 100

/**
 * Runs a program as a child and starts it again when it dies: out of memory, killed, by a fault of its
 * own. One that never got ready, ended well or was asked to stop is not. Resolves with the exit code.
 */
export async function keepRunning({ file, args, echoMs, print }: KeepRunning): Promise<number> {
  let child: ChildProcess | undefined
  let stopping = false
  onStopSignal(() => {
    stopping = true
    child?.kill('SIGTERM')
  }, echoMs)
  const deaths: number[] = []
  for (let wasReady = false; ; ) {
    // A terminal's Ctrl-C reaches this process alone, which passes it on once.
    child = fork(fileURLToPath(file), args, { execArgv: [...process.execArgv, ...nodeArgs(file)], detached: true })
    child.on('message', (message) => {
      if (message === READY) wasReady = true
    })
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    if (stopping || code === 0 || !wasReady) return code ?? EXIT_BY_SIGNAL
    const now = performance.now()
    deaths.push(now)
    const recent = deaths.filter((at) => now - at < WITHIN_MS).length
    const why = signal ? `by ${signal}` : `with code ${code}`
    if (recent >= DEATHS) {
      print(`The program ended ${recent} times within a minute, now ${why}; it is not started again.`)
      return code ?? 1
    }
    print(`The program ended ${why}; it is started again.`)
    await pause(FIRST_PAUSE_MS * 2 ** (recent - 1))
    if (stopping) return 0
  }
}

/** Says to the process that keeps this one running, where there is one, that it is up; calls back once that is sent. */
export function reportReady(onSent: () => void = () => undefined): void {
  process.send?.(READY, undefined, undefined, onSent)
}

/** Calls back when the process that keeps this one running is gone. */
export function onKeeperGone(stop: () => void): void {
  if (process.connected) process.once('disconnect', stop)
}
