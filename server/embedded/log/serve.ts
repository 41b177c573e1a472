import { type LogServer, startLogServer } from '../../../eventstore/embedded/server.ts'
import type { Config } from '../../config.ts'
import { announce, findRunning, openDataDir, withdraw } from '../../data-dir.ts'
import { refuseWhileRestoring } from '../../process-lock.ts'
import { ECHO_OF_NPM_MS, EXIT_BY_SIGNAL, onStopSignal } from '../lifecycle/stop-signals.ts'
import { type OpenDatabases, openDatabases } from '../postgres/product-databases.ts'
import { refuseRoot } from '../refuse-root.ts'
import { logSecret } from './log-secret.ts'

/** Runs the embedded log server alone, until it is asked to stop. Resolves when everything is down again. */
export async function serveLog(config: Config, port: number, logLine: (line: string) => void): Promise<void> {
  // Whichever log EVENTSTORE_URL names: this one runs here.
  refuseRoot({ ...config, eventstoreUrl: null })
  openDataDir(config.dataDir)
  const databases = await openDatabases(config, (level, text) => level !== 'debug' && logLine(text))
  let server: LogServer
  try {
    await refuseWhileRestoring(databases.app)
    server = await startLogServer({
      database: databases.log,
      port,
      ...config.logListen,
      secret: logSecret(config.dataDir),
    })
  } catch (error) {
    await databases.stop()
    throw error
  }
  announceLog(config, server, databases)
  const wanted = config.logListen.users
    ? ''
    : `; its clients add &connectionName= and what ${config.dataDir}/log-secret holds`
  logLine(`The log is at ${server.address}${wanted}`)
  await untilStopped()
  withdraw(config.dataDir)
  await server.stop()
  await databases.stop()
}

/** For a scavenge beside it. A product that runs on the folder stays announced. */
function announceLog(
  { dataDir }: Config,
  { connectionString }: LogServer,
  { postgres, app, log }: OpenDatabases,
): void {
  if (findRunning(dataDir)) return
  announce(dataDir, { logAlone: true, eventstoreUrl: connectionString, ...(postgres && { databases: { app, log } }) })
}

/** A second signal ends the process at once. */
const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    let asked = false
    onStopSignal(() => {
      if (asked) process.exit(EXIT_BY_SIGNAL)
      asked = true
      resolve()
    }, ECHO_OF_NPM_MS)
  })
