import { overAddressLimit } from '../app/request/address-limit.server.ts'
import { createCarriedForms } from '../app/request/carried.server.ts'
import { AWAY } from '../app/words/unavailable.ts'
import { refuseUpgrade } from '../realtime/upgrade.ts'
import { GOOGLE } from '../services/google.ts'
import { networkOf } from '../services/limits/network.ts'
import { errorFields, type Logger } from '../services/log.ts'
import { createReadActing } from './acting.ts'
import { carryForms } from './carried-forms.ts'
import type { Config } from './config.ts'
import type { Client } from './http/client.ts'
import type { ConnectionCaps } from './http/connections.ts'
import type { RawHandler, RequestLine } from './http/handler.ts'
import { type HttpServer, startHttpServer, type UpgradeHandler } from './http/http-server.ts'
import { policyLog } from './http/policy-log.ts'
import { policyReports } from './http/policy-reports.ts'
import { createFindMedia } from './http/raw/found-media.ts'
import { createHealthHandler, type RoleState } from './http/raw/health.ts'
import { createMailboxHandler } from './http/raw/mailbox.ts'
import { createMediaHandler } from './http/raw/media.ts'
import { createStartingHandler } from './http/raw/starting.ts'
import type { RemixHandler } from './http/remix.ts'
import { securityEventOf, securityLog } from './http/security-events.ts'
import { securityHeaders } from './http/security-headers.ts'
import type { Product } from './product.ts'
import { createContextFor, createFinish } from './request-context.ts'
import { wasWritten } from './waiting/caught-up.ts'
import { epochBy, shownBy } from './waiting/shown.ts'
import type { Shared } from './workers/shared/shared.ts'

const HEAD_MS = 1_000

export type WebOptions = {
  readonly product: Product
  readonly config: Config
  readonly port: number
  readonly publicUrl: string
  readonly now: () => Date
  readonly logger: Logger
  readonly dev?: boolean
  /** The pages, where they are loaded already. */
  readonly remix?: RemixHandler | undefined
  readonly takesCrowds?: boolean
  /** Default: `CONNECTION_CAPS`. */
  readonly caps?: ConnectionCaps
  /** What it counts together with other processes; without it, alone. */
  readonly shared?: Partial<Shared>
  /** Default: of this process alone. */
  readonly states?: () => Promise<RoleState[]>
}

/**
 * The port of a process: its health, sockets where it has them, and with the web role pages and calls, media and the
 * development mailbox.
 */
export function startWeb(options: WebOptions): Promise<HttpServer> {
  const { product, config, port, publicUrl, now, logger, dev = false, shared = {} } = options
  const { core, services, live, mailbox, projector, caughtUp } = product
  const { read } = core.storage
  const carriedForms = createCarriedForms(product.formBox, now)
  const contextFor = createContextFor({
    services,
    readActing: createReadActing({ read, sessions: services.sessions }),
    dispatch: core.dispatch,
    loadState: core.loadState,
    isRepeat: core.isRepeat,
    read,
    history: core.history,
    readModels: () => core.readModels(now),
    now,
    mode: config.mode,
    caughtUp,
    carriedForms,
    head: () => core.log.head(AbortSignal.timeout(HEAD_MS)).catch(() => undefined),
    wasWritten: (position) => wasWritten(core.log, position),
    shown: shownBy(projector, core.storage.pool, core.log),
    epoch: epochBy(core.storage.pool, core.log),
    reportError: (error, requestId) => logger.error('A request failed.', { requestId, ...errorFields(error) }),
  })
  const pages = config.roles.has('web')
  const states = options.states ?? product.states
  const raw: RawHandler[] = [
    limitedReports(options),
    createHealthHandler(async () => [...(await states()), ...(pages ? [{ role: 'web', ready: true }] : [])]),
    createStartingHandler(product.showsLog),
    ...(pages ? [createMediaHandler(services, createFindMedia({ read, sessions: services.sessions }))] : []),
    ...(pages && mailbox && config.mode === 'local' ? [createMailboxHandler(mailbox)] : []),
  ]
  return startHttpServer({
    port,
    publicUrl,
    dev,
    takesCrowds: options.takesCrowds ?? false,
    pages,
    contextFor,
    raw,
    formActions: config.google ? [GOOGLE.origin] : [],
    host: config.host,
    mode: config.mode,
    trustProxy: config.trustProxy,
    finish: carryForms(carriedForms, createFinish({ caughtUp })),
    overLimit: (request, context) => overAddressLimit(context, request),
    ...(options.remix && { remix: options.remix }),
    ...(options.caps && { caps: options.caps }),
    ...(shared.connections && { connections: shared.connections }),
    listensLoaded: shared.connections !== undefined,
    ...(shared.read && { readElsewhere: shared.read }),
    ...(live && { upgrades: { '/realtime': takenBy(live, product.showsLog) } }),
    onRequest: noting(logger, product.keyedHash),
    onError: (error, { requestId }) => logger.error('A request failed.', { requestId, ...errorFields(error) }),
  })
}

/** Sockets go to the node, whose refusals carry what every answer of the port does. */
function takenBy(live: NonNullable<Product['live']>, isThere: () => boolean): UpgradeHandler {
  const headers = securityHeaders()
  return (incoming, socket, head, { origin, ip, attended }) => {
    if (!isThere()) return refuseUpgrade(socket, 503, { retryInMs: AWAY.retryInMs, headers })
    live.handleUpgrade(incoming, socket, head, { origin, network: networkOf(ip), headers, attended })
  }
}

/** Reports of the policy, within the limit of their network. */
function limitedReports({ product, logger }: WebOptions): RawHandler {
  const waitOf = async ({ ip }: Client) => {
    const taken = await product.services.limits.take('CSP_REPORT', networkOf(ip))
    return taken.ok ? null : taken.retryInMs
  }
  return policyReports({ onReport: policyLog(logger), waitOf })
}

/** Security events; every request at the more verbose levels. */
function noting(logger: Logger, hash: (text: string) => string): (line: RequestLine) => void {
  const log = securityLog(logger, hash)
  return (line) => {
    const { requestId, method, status, ms, who, ip, kinds } = line
    const event = securityEventOf(line)
    const all = event ? [event, ...kinds] : kinds
    const about = { requestId, method, status, network: networkOf(ip), who }
    const route = all.length > 0 ? line.routeOf() : null
    for (const kind of all) log({ ...about, kind, route })
    logger.debug('Answered.', { requestId, method, status, ms })
  }
}
