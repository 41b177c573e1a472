import { allProjections, memberModels } from '../projections/all-projections.ts'
import { showOther } from '../projections/engine/care/behind.ts'
import type { CaughtUp } from '../projections/engine/caught-up.ts'
import { createProjector, type Projector } from '../projections/engine/engine.ts'
import { noteSetBacks } from '../projections/engine/set-back.ts'
import { placeReactors } from '../reactors/effects.ts'
import { type EraseAct, finishesErasure } from '../reactors/finish-erasure.ts'
import { type MailAct, mailWhenPasswordChanged } from '../reactors/mail-when-password-changed.ts'
import { mailWhenSecondFactorChanged } from '../reactors/mail-when-second-factor-changed.ts'
import { mailWhenSignedInOnNewDevice } from '../reactors/mail-when-signed-in-on-new-device.ts'
import { mailWhenSuspended } from '../reactors/mail-when-suspended.ts'
import type { AnyReactor } from '../reactors/reactor.ts'
import { createRounds, type Rounds } from '../reactors/rounds.ts'
import { createReactors, type Reactors } from '../reactors/run.ts'
import type { Realtime } from '../realtime/server.ts'
import type { Clock } from '../services/clock.ts'
import { createExportFiles } from '../services/export/files.ts'
import { createExportWork } from '../services/export/work.ts'
import { errorFields, type Logger } from '../services/log.ts'
import { createMailbox, type Mailbox } from '../services/mailbox.ts'
import type { Mailer } from '../services/mailer.ts'
import type { WorkerLimits } from '../services/media/workers/limits.ts'
import { PUBLISH_EVERY_MS } from '../services/nearby/publication.ts'
import { type Box, createBox, createSigner } from '../services/secrets.ts'
import { finishErasure } from '../usecases/identity/finish-erasure.ts'
import type { Presence, Services } from '../usecases/ports.ts'
import type { Config } from './config.ts'
import { type Core, openCore, type Stores } from './core.ts'
import type { RoleState } from './http/raw/health.ts'
import { createJobs, type JobTimes } from './jobs.ts'
import { createLive, type Live, watchLive } from './live.ts'
import type { ProcessLockOptions } from './process-lock.ts'
import { createServices, exportFolder } from './services.ts'
import { createStoreCheck } from './stores-answer.ts'
import { createRestoreNotices } from './tools/backup/notices.ts'
import { type ErasureParts, erasingOf } from './tools/erasure/erasing.ts'
import { type Forgetting, startForgetting } from './tools/erasure/forgetting.ts'
import { reapplyErasures } from './tools/erasure/reapply.ts'
import { chainOf } from './tools/history/chain/chain-of.ts'
import { startSealing } from './tools/history/chain/sealing.ts'
import { caughtUpBy } from './waiting/caught-up.ts'
import { statesBy } from './waiting/role-states.ts'
import { watchShownLog } from './waiting/shown-log.ts'
import { reportLeft, reportLocked, reportWaiting } from './waiting/start-lines.ts'
import type { Shared } from './workers/shared/shared.ts'

export type ProductOptions = {
  readonly stores: Stores
  readonly config: Config
  readonly publicUrl: string
  readonly now: Clock
  readonly logger: Logger
  /** Whether the embedded log can write, where this process runs it. */
  readonly logIsUp?: () => boolean
  /** In place of SMTP or the development mailbox, for tests. */
  readonly mailer?: Mailer
  /** What a file may cost; tests lower it. */
  readonly mediaLimits?: Partial<WorkerLimits>
  /** What it counts together with other processes; without it, alone. */
  readonly shared?: Partial<Shared>
  readonly jobTimes?: JobTimes
  /** It must stop: a restore has begun while it had lost the database, or a part of it could not start behind the others. */
  readonly mustStop?: (error: Error) => void
}

/** Everything of one process but its web port, by the roles that the configuration names. */
export type Product = {
  readonly core: Core
  readonly services: Services
  readonly mailbox: Mailbox | null
  readonly projector: Projector | null
  /** Where this process takes sockets. */
  readonly live: Realtime | null
  readonly caughtUp: CaughtUp
  /** False while read models show what is in no log any more: then it answers as while it starts. */
  readonly showsLog: () => boolean
  /** Of who or where, for security events: the same for the same, and nobody finds out of what without the secret. */
  readonly keyedHash: (text: string) => string
  /** Seals what is carried through the login; lost with its secret, it is typed once more. */
  readonly formBox: Box
  /** Resolves when every role does its work; sockets, and what shows members' rows, come later where they show another log. */
  start(): Promise<void>
  /** Of the stores and of each role of this process. */
  states(): Promise<RoleState[]>
  /** Sends the sockets away, while the web port closes, which waits for all that is open. */
  endSockets(): Promise<void>
  stop(): Promise<void>
}

function coreOf(options: ProductOptions): Promise<Core> {
  const { stores, logger } = options
  return openCore(stores, {
    ...lockOptionsOf(options),
    onBroken: (error) =>
      logger.warn('The subscription to the log broke; it is opened again.', { kind: 'log', ...errorFields(error) }),
    onSnapshotFailed: (error) =>
      logger.warn('A snapshot could not be read or written; the stream is folded without it.', {
        kind: 'snapshot',
        ...errorFields(error),
      }),
  })
}

export async function createProduct(options: ProductOptions): Promise<Product> {
  const { stores, config, publicUrl, now, logger, logIsUp = () => true, mustStop = () => undefined } = options
  const core = await coreOf(options)
  const { projector, caughtUp } = followingOf(core, options)
  const shown = watchShownLog(() => showOther(core.storage.pool, core.log, memberModels), mustStop)
  const mailbox = config.smtpUrl === null ? createMailbox({ db: core.storage.app, now }) : null
  const presence: { current: Presence } = { current: { isOnline: () => false } }
  const services = createServices({
    db: core.storage.app,
    secrets: stores.secrets,
    config,
    publicUrl,
    now,
    logger,
    mailbox,
    core,
    mailer: options.mailer ?? mailbox ?? (await smtpMailer(options)),
    presence: { isOnline: (member) => presence.current.isOnline(member) },
    caughtUp,
    upToDate: async (models) => caughtUp(await core.log.head(), models),
    ...limitsOf(options),
  })
  const live = liveOf(options, core, services)
  if (live) presence.current = live
  const erasure = { core, services, now }
  const reactors = config.roles.has('reactors') ? reactorsOf(erasure, publicUrl, logger) : null
  const work = workOf(options, { core, services, reactors, showsLog: shown.isShown })
  const sealing = projector ? startSealing({ ...(await chainOf(core, stores.secrets, { now })), logger }) : null
  let forgetting: Forgetting | null = null
  return {
    core,
    services,
    mailbox,
    projector,
    caughtUp,
    showsLog: shown.isShown,
    keyedHash: keyedHashBy(stores.secrets),
    formBox: createBox(Buffer.from(stores.secrets.mediaSecret, 'utf8'), 'carried-forms'),
    live: live?.realtime ?? null,
    async start() {
      await services.media.removeLeft().catch(reportLeft(logger))
      forgetting = await startForgetting(core, logger)
      await noteSetBacks(core.storage.pool, core.log, reportLocked(logger))
      await (reactors ? reactors.place() : placeReactors(core.storage.pool, core.log, REACTORS))
      await projector?.start()
      await shown.start()
      await reapplyErasures(erasure, reportWaiting(logger))
      await shown.onceShown(async () => live?.start())
      await reactors?.start()
      for (const each of work) each.start()
    },
    states: statesBy(createStoreCheck(core, logIsUp), shown, projector, live, reactors),
    endSockets: async () => live?.stop(),
    async stop() {
      const parts = [shown, sealing, ...work, reactors, live, services.media, projector, forgetting]
      for (const part of parts) await part?.stop()
      await core.close()
    },
  }
}

const limitsOf = ({ mediaLimits = {}, shared = {} }: ProductOptions) => ({ mediaLimits, shared })

const HASH_CHARACTERS = 16

function keyedHashBy({ mediaSecret }: Stores['secrets']): Product['keyedHash'] {
  const signer = createSigner(Buffer.from(mediaSecret, 'utf8'), 'security-events')
  return (text) => signer.sign(text).slice(0, HASH_CHARACTERS)
}

const lockOptionsOf = ({ mustStop, logger }: ProductOptions): ProcessLockOptions => ({
  ...(mustStop && { onRestore: mustStop }),
  onAway: (error) =>
    logger.warn('The lock of this process is lost: no restore may begin.', {
      kind: 'process-lock',
      ...errorFields(error),
    }),
})

/** Sockets where the roles include them; a process that only serves pages hears from the others who is online. */
function liveOf(options: ProductOptions, core: Core, services: Services): Live | null {
  const { stores, config, now, logger, shared } = options
  const keyedHash = keyedHashBy(stores.secrets)
  if (config.roles.has('realtime')) return createLive({ core, services, now, logger, keyedHash, shared })
  return config.roles.has('web') ? watchLive(core, logger) : null
}

/** The projector where the roles include it; elsewhere others have it, and the checkpoints show how far they are. */
function followingOf(core: Core, { stores, config, now, logger }: ProductOptions) {
  const projector = config.roles.has('projector') ? projectorOf(core, stores, now, logger) : null
  return { projector, caughtUp: caughtUpBy(projector, core.storage.pool, core.log) }
}

function projectorOf(core: Core, { logTable: table }: Stores, now: Clock, logger: Logger): Projector {
  const { log, feed, codec, keys, storage } = core
  return createProjector({
    log,
    feed,
    codec,
    keys,
    table,
    now,
    pool: storage.pool,
    projections: allProjections,
    report: (level, text, fields) => logger[level](text, { kind: 'projection', name: String(fields.projection ?? '') }),
  })
}

type Work = { start(): void; stop(): Promise<void> }

/** Next to the reactors what happens later, and mails about a restore that members are owed. */
function workOf(
  options: ProductOptions,
  {
    core,
    services,
    reactors,
    showsLog,
  }: Pick<Product, 'core' | 'services' | 'showsLog'> & { reactors: Reactors | null },
): readonly Work[] {
  const { config, publicUrl, now, logger, jobTimes } = options
  const publishing = publishingOf(services, logger)
  if (!reactors) return [publishing]
  const files = createExportFiles(exportFolder(config.dataDir))
  const work = createExportWork({ db: core.storage.app, now, files })
  const exporter = { core, services, work, publicUrl, now, logger }
  return [
    publishing,
    createJobs({ core, services, now, logger, reactors, showsLog, exporter, ...jobTimes }),
    createRestoreNotices({ ...services, storage: core.storage, publicUrl, now, logger }),
  ]
}

/** Cells that are due, in every process: where members are is kept up whatever the others do. */
function publishingOf({ positions }: Services, logger: Logger): Rounds {
  return createRounds({
    everyMs: PUBLISH_EVERY_MS,
    onError: (error) => logger.warn('Cells wait to be published.', { kind: 'cells', ...errorFields(error) }),
    async round() {
      await positions.publishDue()
      return false
    },
  })
}

const REACTORS: readonly AnyReactor<MailAct & EraseAct>[] = [
  mailWhenPasswordChanged,
  mailWhenSignedInOnNewDevice,
  mailWhenSecondFactorChanged,
  mailWhenSuspended,
  finishesErasure,
]

function reactorsOf(parts: ErasureParts, publicUrl: string, logger: Logger): Reactors {
  const { log, feed, codec, storage } = parts.core
  const erasing = erasingOf(parts, `reactor:${finishesErasure.name}`)
  return createReactors<MailAct & EraseAct>({
    log,
    feed,
    codec,
    pool: storage.pool,
    reactors: REACTORS,
    act: {
      mailer: parts.services.mailer,
      undoLinks: parts.services.undoLinks,
      read: storage.read,
      publicUrl,
      async finishErasure(member) {
        const finished = await finishErasure(erasing, member)
        if (!finished.ok) throw new Error(`It waits for others: ${finished.reason}.`)
      },
    },
    mailIsUp: () => parts.services.mailer.isUp(),
    report: (level, text, { reactor, name, why }) =>
      logger[level](text, { kind: 'reactor', name: String(reactor ?? name ?? ''), errorName: String(why ?? '') }),
  })
}

/** Its sender of mail is large, and loaded where mail is sent. */
async function smtpMailer({ config, publicUrl, logger }: ProductOptions): Promise<Mailer> {
  const { createSmtpMailer } = await import('../services/mailer.ts')
  const onDown = (error: unknown) =>
    logger.error('The mail server is down.', { kind: 'mail-down', ...errorFields(error) })
  return createSmtpMailer({ url: config.smtpUrl as string, from: senderOf(publicUrl), onDown })
}

const senderOf = (publicUrl: string) => `LetsBuzz <no-reply@${new URL(publicUrl).hostname}>`
