import { createLogger, errorFields } from '../../services/log.ts'
import { type Config, loadConfig } from '../config.ts'
import { type ChildRole, runChild } from '../embedded/lifecycle/child.ts'
import type { RoleState } from '../http/raw/health.ts'
import { createProduct } from '../product.ts'
import { openSecrets } from '../secrets.ts'
import { startWeb } from '../web.ts'
import { linkApart } from './apart/apart.ts'
import { Channel, portToPrimary } from './channel.ts'
import { loggerLevel } from './log-level.ts'
import { linesTo } from './plain-lines.ts'
import { servingRoles } from './roles.ts'
import { sharedOver } from './shared/shared.ts'
import { answerPings } from './silence.ts'
import { STATES, type WorkerReport, type WorkerSettings } from './worker-settings.ts'

/** One of the processes that serve pages and sockets on the port of their primary. */
runChild(async (settings: WorkerSettings): Promise<ChildRole<WorkerReport>> => {
  const { port, publicUrl, database, log } = settings
  const all = loadConfig(process.env)
  const config: Config = { ...all, roles: servingRoles(all.roles) }
  const logger = createLogger({ level: loggerLevel(config.logLevel), ...linesTo(process.stdout) })
  const now = () => new Date()
  const channel = new Channel(portToPrimary())
  answerPings(channel)
  const secrets = openSecrets(config)
  const apart = await linkApart({ config, secrets, logger })
  const shared = apart?.shared ?? sharedOver(channel)
  const stores = { database, log, secrets }
  // In a restore the primary loses the database in the same moment, and ends all of the product; else it starts another worker.
  const mustStop = (error: Error) => {
    logger.error('This worker must end.', errorFields(error))
    process.exit(1)
  }
  const product = await createProduct({ stores, config, publicUrl, now, logger, mustStop, shared })
  await product.start()
  const states = async () => combined([...(await product.states()), ...(await statesOfPrimary(channel))])
  const http = await startWeb({ product, config, port, publicUrl, now, logger, takesCrowds: true, shared, states })
  return {
    report: { pid: process.pid },
    healthy: () => product.live?.ready() ?? true,
    async stop() {
      await Promise.all([product.endSockets(), http.close()])
      await product.stop()
      await apart?.close()
    },
  }
})

const statesOfPrimary = (channel: Channel): Promise<readonly RoleState[]> =>
  channel.ask<readonly RoleState[]>(STATES, null).catch(() => [{ role: 'workers', ready: false }])

/** Each role once; one that both processes look at is ready where both find it so. */
function combined(states: readonly RoleState[]): RoleState[] {
  const byRole = new Map<string, RoleState>()
  for (const state of states) {
    const known = byRole.get(state.role)
    byRole.set(state.role, known ? { ...known, ready: known.ready && state.ready } : state)
  }
  return [...byRole.values()]
}
