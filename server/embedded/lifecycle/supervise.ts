import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { nodeArgs } from '../../../services/node-args.ts'
import type { FromChild, ToChild } from './child.ts'
import { killChild } from './kill-child.ts'

export type SuperviseOptions<Settings> = {
  /** For log lines. */
  name: string
  /** The child's main file, which calls `runChild`. */
  file: URL
  /** Makes the child of that file; by default a child process like any other. */
  fork?: (file: URL) => ChildProcess
  /** The child comes up while they are awaited. */
  settings: Settings | Promise<Settings>
  log: (level: 'info' | 'warn', text: string) => void
  readyWithinMs?: number
}

export type Supervised<Report> = {
  /** Of the first child that was ready. */
  report: Report
  /** Whether a child runs, has reported and is healthy. */
  isUp(): boolean
  pid(): number | null
  /** Passes a connection on to the child; without one that runs it ends. */
  connect(socket: Socket): void
  /** Asks the child to stop, and kills it when it has not after `withinMs`. */
  stop(withinMs?: number): Promise<void>
}

const READY_MS = 30_000
const STOP_MS = 4_500
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000
const SETTLED_MS = 10_000

/**
 * Runs a role in a process of its own and starts it again, with growing pauses, whenever it dies.
 * Throws when the first child does not get ready, and where its settings reject.
 */
export async function supervise<Settings, Report>(options: SuperviseOptions<Settings>): Promise<Supervised<Report>> {
  const { name, log } = options
  let stopping = false
  let run = await startChild<Settings, Report>(options)
  const { report } = run
  const watch = async () => {
    let wait = FIRST_PAUSE_MS
    while (!stopping) {
      const startedAt = performance.now()
      await run.ended
      if (stopping) return
      if (performance.now() - startedAt > SETTLED_MS) wait = FIRST_PAUSE_MS
      log('warn', `The ${name} process ended; starting it again.`)
      await pause(wait)
      wait = Math.min(wait * 2, LONGEST_PAUSE_MS)
      if (stopping) return
      try {
        run = await startChild<Settings, Report>(options)
      } catch (error) {
        log('warn', String(error))
      }
      // A stop that came while the child was starting has not seen it.
      if (stopping) await endChild(run.child, run.ended, STOP_MS)
    }
  }
  void watch()
  return {
    report,
    isUp: () => !stopping && run.isUp(),
    pid: () => (run.isUp() ? (run.child.pid ?? null) : null),
    connect: (socket) => {
      if (stopping || !run.child.connected) socket.destroy()
      else run.child.send({ type: 'connection' } satisfies ToChild, socket, (error) => error && socket.destroy())
    },
    stop: async (withinMs = STOP_MS) => {
      stopping = true
      await endChild(run.child, run.ended, withinMs)
    },
  }
}

const forkFile = (file: URL): ChildProcess => fork(fileURLToPath(file), { execArgv: nodeArgs(file) })

type Run<Report> = { child: ChildProcess; report: Report; ended: Promise<void>; isUp(): boolean }

async function startChild<Settings, Report>({
  name,
  file,
  fork: make = forkFile,
  settings,
  readyWithinMs = READY_MS,
}: SuperviseOptions<Settings>): Promise<Run<Report>> {
  const child = make(file)
  let healthy = true
  const given = Promise.resolve(settings)
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  child.on('message', (message: FromChild) => {
    if (message.type === 'health') healthy = message.healthy
    // What rejects is awaited below.
    if (message.type === 'awake')
      void given.then(
        (known) => send(child, { type: 'start', settings: known }),
        () => undefined,
      )
  })
  try {
    const ready = firstReport(child, ended)
    await Promise.race([given, ready])
    const report = (await within(readyWithinMs, ready)) as Report
    return { child, report, ended, isUp: () => healthy && child.connected }
  } catch (error) {
    killChild(child)
    throw new Error(`The ${name} process did not start: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function firstReport(child: ChildProcess, ended: Promise<void>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: FromChild) => {
      if (message.type === 'ready') resolve(message.report)
      if (message.type === 'failed') reject(new Error(message.message))
    })
    void ended.then(() => reject(new Error('it ended before it was ready.')))
  })
}

/** One that is dying hears nothing more. */
function send(child: ChildProcess, message: ToChild): void {
  if (child.connected) child.send(message, () => undefined)
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const timer = new AbortController()
  const late = pause(ms, undefined, { signal: timer.signal, ref: false }).then(
    () => Promise.reject(new Error(`it was not ready after ${ms} ms.`)),
    () => work,
  )
  return Promise.race([work, late]).finally(() => timer.abort())
}

async function endChild(child: ChildProcess, ended: Promise<void>, withinMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  send(child, { type: 'stop' })
  const late = pause(withinMs, 'late', { ref: false })
  if ((await Promise.race([ended, late])) === 'late') killChild(child)
  await ended
}
