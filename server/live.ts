import { isAway } from '../app/request/away.server.ts'
import { AWAY } from '../app/words/unavailable.ts'
import type { MemberId } from '../domain/shared/ids.ts'
import { epochOf } from '../projections/engine/set-back.ts'
import { listFirstNames, showsPresence } from '../projections/profiles/queries.ts'
import { readRights, readRooms } from '../projections/view/relationships.ts'
import { createLogSource } from '../realtime/log-source.ts'
import { createPostgresBus } from '../realtime/postgres-bus.ts'
import { watchPresence } from '../realtime/presence-watch.ts'
import { REALTIME_PATH } from '../realtime/protocol.ts'
import { createRealtime, type Realtime } from '../realtime/server.ts'
import type { Clock } from '../services/clock.ts'
import type { Logger } from '../services/log.ts'
import type { Services } from '../usecases/ports.ts'
import { authenticateBy } from './authenticate.ts'
import type { Core } from './core.ts'
import { securityLog } from './http/security-events.ts'
import { createPorts } from './ports.ts'
import { inTime } from './waiting/in-time.ts'
import type { Shared } from './workers/shared/shared.ts'

/** What a process knows of who is online, and its realtime node where it has one. */
export type Live = {
  readonly realtime: Realtime | null
  isOnline(member: MemberId): boolean
  start(): Promise<void>
  stop(): Promise<void>
}

type LiveDeps = {
  core: Core
  services: Services
  now: Clock
  logger: Logger
  /** Of who or where, for security events. */
  keyedHash: (text: string) => string
  shared?: Partial<Shared> | undefined
}
/** Over so long sockets are sent away at a stop. */
const DRAIN_MS = 500

/** Any number of processes may share the database: they find each other there, alone or not. */
const busOf = (core: Core, logger: Logger) =>
  createPostgresBus(core.database, (line) => logger.warn(line, { kind: 'realtime' }))

/** A process without sockets listens to those that have them. */
export function watchLive(core: Core, logger: Logger): Live {
  const bus = busOf(core, logger)
  const { isOnline, stop } = watchPresence(bus)
  return {
    realtime: null,
    isOnline,
    start: async () => undefined,
    async stop() {
      stop()
      await bus.close()
    },
  }
}

export function createLive(deps: LiveDeps): Live {
  const { core, services, now, logger, keyedHash, shared } = deps
  const { read } = core.storage
  const dispatch = inTime(core.dispatch)
  const ports = { ...createPorts(core, services, now), dispatch, note: dispatch }
  const bus = busOf(core, logger)
  const log = securityLog(logger, keyedHash)
  const realtime = createRealtime({
    source: createLogSource(core.log, core.feed, () => epochOf(core.storage.pool, core.log)),
    codec: core.codec,
    readRights: (asked) => readRights(read, core.log, asked),
    readRooms: (others) => readRooms(read, core.log, others),
    namesOf: (members) => listFirstNames(read, members),
    logLine: (line) => logger.info(line, { kind: 'realtime' }),
    authenticate: authenticateBy(ports),
    refused: (kind, { network }, member) => log({ kind, network, who: member ?? null, route: REALTIME_PATH }),
    ports,
    async showsPresence(member, asOf) {
      if (!(await services.caughtUp(asOf, ['profiles']))) throw new Error('The profiles are behind.')
      return showsPresence(read, member)
    },
    sessionsThere: (sessions) => services.sessions.there(sessions),
    retryInMs: (error) => (isAway(error) ? AWAY.retryInMs : undefined),
    origins: () => [services.config.publicUrl],
    bus,
    countSockets: shared?.countSockets,
    replays: shared?.replays,
    frames: shared?.frames,
    now,
  })
  let stopping: Promise<void> | undefined
  const stop = async () => {
    await realtime.stop({ drainMs: DRAIN_MS })
    await bus.close()
  }
  return {
    realtime,
    isOnline: (member) => realtime.isOnline(member),
    start: () =>
      realtime.start().catch((error: unknown) => {
        if (!stopping) throw error
      }),
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}
