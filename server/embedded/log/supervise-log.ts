import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { cannotListen } from '../../../eventstore/embedded/listen.ts'
import { LOOPBACK, type LogServerOptions } from '../../../eventstore/embedded/server.ts'
import { type Supervised, supervise } from '../lifecycle/supervise.ts'

/** `port` 0 takes a free one. Plain JSON. */
export type LogProcessSettings = Pick<LogServerOptions, 'database' | 'host' | 'port' | 'tls' | 'users' | 'secret'>
export type LogProcessReport = { port: number; connectionString: string }
/** The process comes up while its database is awaited. */
type LogSettings = Omit<LogProcessSettings, 'database'> & {
  readonly database: LogProcessSettings['database'] | Promise<LogProcessSettings['database']>
}

type Log = (level: 'info' | 'warn', text: string) => void

/**
 * The embedded log in a process of its own, so that appends have a core of theirs. This process listens for it: while the log
 * is started again nobody else gets the port, and with it the secret or the password that clients send.
 */
export async function superviseLog(settings: LogSettings, log: Log): Promise<Supervised<LogProcessReport>> {
  let child: Supervised<LogProcessReport> | undefined
  const take = (socket: Socket) => (child ? child.connect(socket) : socket.destroy())
  const listener = createServer({ pauseOnConnect: true, noDelay: true }, take)
  const port = await listenAt(listener, settings)
  const closed = once(listener, 'close')
  try {
    const started = await supervise<LogProcessSettings, LogProcessReport>({
      name: 'log',
      file: new URL('./log-process.ts', import.meta.url),
      settings: withDatabase({ ...settings, port }),
      log,
    })
    child = started
    const stop = async (withinMs?: number) => {
      listener.close()
      await Promise.all([started.stop(withinMs), closed])
    }
    return { ...started, stop }
  } catch (error) {
    listener.close()
    throw error
  }
}

const withDatabase = async ({ database, ...settings }: LogSettings): Promise<LogProcessSettings> => ({
  ...settings,
  database: await database,
})

async function listenAt(
  listener: Server,
  { host = LOOPBACK, port = 0 }: Pick<LogSettings, 'host' | 'port'>,
): Promise<number> {
  try {
    await once(listener.listen(port, host), 'listening')
  } catch (error) {
    throw cannotListen({ host, port }, error)
  }
  return (listener.address() as AddressInfo).port
}
