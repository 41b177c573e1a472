import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** What passes between a parent and a role that runs in a process of its own. */
export type ToChild = { type: 'start'; settings: unknown } | { type: 'stop' } | { type: 'connection' }
export type FromChild =
  | { type: 'awake' }
  | { type: 'ready'; report: unknown }
  | { type: 'health'; healthy: boolean }
  | { type: 'failed'; message: string }

export type ChildRole<Report> = {
  /** What the parent wants to know once the role is ready, for example its port. Plain JSON. */
  report: Report
  /** Asked now and then; the parent hears of changes. */
  healthy?: () => boolean
  /** Takes a connection that the parent has accepted for it. */
  connect?: (socket: Socket) => void
  stop(): Promise<void>
}

const HEALTH_EVERY_MS = 250
const STOP_WITHIN_MS = 4_000

/**
 * The main function of a child process: starts its role with the parent's settings, and ends when the parent asks to or
 * dies. Signals meant for the whole group, such as Ctrl-C, are left to the parent, which stops its parts in order.
 */
export function runChild<Settings, Report>(start: (settings: Settings) => Promise<ChildRole<Report>>): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  let role: Promise<ChildRole<Report>> | undefined
  let ending = false
  const end = async () => {
    if (ending) return
    ending = true
    await Promise.race([role?.then((running) => running.stop()).catch(() => undefined), pause(STOP_WITHIN_MS)])
    process.exit(0)
  }
  process.once('disconnect', () => void end())
  process.on('message', (message: ToChild, socket?: Socket) => {
    if (message.type === 'stop') return void end()
    // Without a socket: it was closed on its way.
    if (message.type === 'connection') return void role?.then(({ connect }) => socket && connect?.(socket))
    if (message.type !== 'start') return
    role = start(message.settings as Settings)
    role.then(reportOn, (error: unknown) => send({ type: 'failed', message: messageOf(error) }, () => process.exit(1)))
  })
  // A worker of a cluster loses what is sent before somebody listens.
  send({ type: 'awake' })
}

function reportOn<Report>(role: ChildRole<Report>): void {
  send({ type: 'ready', report: role.report })
  if (!role.healthy) return
  let known = true
  const timer = setInterval(() => {
    const healthy = role.healthy?.() ?? true
    if (healthy !== known) send({ type: 'health', healthy })
    known = healthy
  }, HEALTH_EVERY_MS)
  timer.unref()
}

function send(message: FromChild, then: () => void = () => undefined): void {
  // A parent that died in this moment is handled by 'disconnect'.
  process.send?.(message, undefined, undefined, () => then())
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
