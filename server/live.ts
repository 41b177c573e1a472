import { sessionTokenOf } from '../app/request/session-cookie.server.ts'
import { TALK_WORDS } from '../app/words/pair-words.ts'
import { worded } from '../app/words/words.ts'
import type { MemberId } from '../domain/shared/ids.ts'
import { findAccountStatus } from '../projections/accounts/queries.ts'
import { listFirstNames } from '../projections/profiles/queries.ts'
import { readStanding } from '../projections/view/standing.ts'
import { isHidden } from '../projections/view/visibility.ts'
import type { Authenticate } from '../realtime/deps.ts'
import type { SendMessage } from '../realtime/handlers/handler.ts'
import { createLogSource } from '../realtime/log-source.ts'
import { createPostgresBus } from '../realtime/postgres-bus.ts'
import { watchPresence } from '../realtime/presence-watch.ts'
import { createRealtime, type Realtime } from '../realtime/server.ts'
import type { Clock } from '../services/clock.ts'
import type { Logger } from '../services/log.ts'
import { actingAs } from '../usecases/acting.ts'
import { sendMessage } from '../usecases/chat/send-message.ts'
import type { Services } from '../usecases/ports.ts'
import type { Core } from './core.ts'
import { createPorts } from './ports.ts'

/** What a process knows of who is online, and its realtime node where it has one. */
export type Live = {
  readonly realtime: Realtime | null
  isOnline(member: MemberId): boolean
  start(): Promise<void>
  stop(): Promise<void>
}

type LiveDeps = { core: Core; services: Services; now: Clock; logger: Logger }
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
  const { core, services, now, logger } = deps
  const { read } = core.storage
  const bus = busOf(core, logger)
  const realtime = createRealtime({
    source: createLogSource(core.log, core.feed),
    codec: core.codec,
    standing: () => readStanding(read),
    namesOf: (members) => listFirstNames(read, members),
    forget: (member) => core.keys.forget(member),
    say: (line) => logger.info(line, { kind: 'realtime' }),
    authenticate: authenticateBy(services, core),
    sendMessage: sendBy(services, core, now),
    showsPresence: async (member) => {
      const owner = await read
        .selectFrom('profile')
        .select(['visibility_mode', 'visibility'])
        .where('member', '=', member)
        .executeTakeFirst()
      return owner !== undefined && !isHidden(owner)
    },
    origins: () => [services.config.publicUrl],
    bus,
    now,
  })
  return {
    realtime,
    isOnline: (member) => realtime.isOnline(member),
    start: () => realtime.start(),
    async stop() {
      await realtime.stop({ drainMs: DRAIN_MS })
      await bus.close()
    },
  }
}

/** A session that is alive, of an account that is active: by cookie, bearer token or ticket. */
function authenticateBy({ sessions, tickets }: Services, core: Core): Authenticate {
  const admit = async (session: Awaited<ReturnType<Services['sessions']['find']>>) => {
    if (!session) return null
    const account = await findAccountStatus(core.storage.read, session.member)
    return account?.status === 'active'
      ? { member: session.member, session: session.id, until: session.expiresAt }
      : null
  }
  return {
    async cookie(header) {
      const request = new Request('http://own.invalid', { headers: { Cookie: header } })
      const token = await sessionTokenOf(request)
      return token ? admit(await sessions.find(token)) : null
    },
    async token(value) {
      const ticket = tickets.verify(value)
      if (!ticket) return admit(await sessions.find(value))
      const alive = await sessions.list(ticket.member)
      return admit(alive.find((session) => session.id === ticket.session) ?? null)
    },
  }
}

/** The same action that the form and the call use. */
function sendBy(services: Services, core: Core, now: Clock): SendMessage {
  return async (member, { to, id, text, media }) => {
    const ports = createPorts(core, services, now)
    const outcome = await sendMessage(actingAs(ports, member), { to, id, text, media })
    if (outcome.ok) return { ok: true, position: outcome.value.position }
    const { error, retryInMs } = worded(TALK_WORDS, outcome)
    return { ok: false, error, code: outcome.reason, ...(retryInMs !== undefined && { retryInMs }) }
  }
}
