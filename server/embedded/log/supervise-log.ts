import type { LogServerOptions } from '../../../eventstore/embedded/server.ts'
import { type Supervised, supervise } from '../lifecycle/supervise.ts'

/** `port` 0 takes a free one. Plain JSON. */
export type LogProcessSettings = Pick<LogServerOptions, 'database' | 'host' | 'port' | 'tls' | 'users' | 'secret'>
export type LogProcessReport = { port: number; connectionString: string }

type Log = (level: 'info' | 'warn', text: string) => void

/** The embedded log in a process of its own, so that appends have a core of theirs. A restarted one keeps its port. */
export function superviseLog(settings: LogProcessSettings, log: Log): Promise<Supervised<LogProcessReport>> {
  return supervise<LogProcessSettings, LogProcessReport>({
    name: 'log',
    file: new URL('./log-process.ts', import.meta.url),
    settings: (previous) => ({ ...settings, ...(previous && { port: previous.port }) }),
    log,
  })
}
