import { join } from 'node:path'
import type { MemberId } from '../domain/shared/ids.ts'
import { allProjections } from '../projections/all-projections.ts'
import { listBehind, showLog } from '../projections/engine/care/behind.ts'
import { listUnerased } from '../projections/engine/care/quarantined-streams.ts'
import { dropUnfollowed } from '../projections/engine/care/unfollowed-tables.ts'
import { dropUnknown } from '../projections/engine/care/unknown-tables.ts'
import { epochOf } from '../projections/engine/set-back.ts'
import { histories } from '../projections/history/project.ts'
import { createAddresses } from '../services/addresses.ts'
import type { AppDb } from '../services/app-db.ts'
import type { Clock } from '../services/clock.ts'
import { CODE_RESEND_MS, createCodes } from '../services/codes.ts'
import { createCredentials } from '../services/credentials.ts'
import { createErasedLedger } from '../services/erased-ledger.ts'
import { createErasure } from '../services/erasure.ts'
import { createExports } from '../services/export/exports.ts'
import { createExportFiles } from '../services/export/files.ts'
import { createGoogle } from '../services/google.ts'
import { createIdempotency } from '../services/idempotency.ts'
import { createKeptBlocks } from '../services/kept-blocks.ts'
import { createLimits } from '../services/limits/limits.ts'
import { createCodeGuard, createLoginGuard } from '../services/limits/login-guard.ts'
import type { Logger } from '../services/log.ts'
import type { Mailbox } from '../services/mailbox.ts'
import type { Mailer } from '../services/mailer.ts'
import { createMediaLinks } from '../services/media/links.ts'
import { createMediaFiles } from '../services/media/media.ts'
import { createFileStore } from '../services/media/store.ts'
import type { WorkerLimits } from '../services/media/workers/limits.ts'
import { createMediaWorkers } from '../services/media/workers/workers.ts'
import { createPositions } from '../services/nearby/positions.ts'
import { createTowns } from '../services/nearby/towns.ts'
import { createOwed, type Rows } from '../services/owed.ts'
import { createPasswordPolicy } from '../services/password-policy.ts'
import { createPasswords } from '../services/passwords.ts'
import { randomId } from '../services/random-id.ts'
import { createSecondFactor } from '../services/second-factor/second-factor.ts'
import { createUndoLinks } from '../services/second-factor/undo-links.ts'
import { createChallenges } from '../services/sessions/challenges.ts'
import { createProgramDevice } from '../services/sessions/program-device.ts'
import { createSessions } from '../services/sessions/sessions.ts'
import { createTickets } from '../services/sessions/tickets.ts'
import { createSignupProofs } from '../services/signup-proofs.ts'
import { createBarred, createMinors } from '../services/turned-away.ts'
import type { Presence, Services } from '../usecases/ports.ts'
import type { Config } from './config.ts'
import type { Core } from './core.ts'
import { draftFolders } from './draft-folders.ts'
import { sealBy } from './keys/member-seal.ts'
import { masterKeysIn, type Secrets } from './secrets.ts'
import type { Shared } from './workers/shared/shared.ts'

export type ServiceDeps = {
  readonly db: AppDb
  readonly secrets: Secrets
  readonly config: Pick<Config, 'mode' | 'dataDir' | 'rateLimits' | 'passwordMin' | 'google'>
  readonly publicUrl: string
  readonly now: Clock
  readonly mailer: Mailer
  readonly logger: Logger
  readonly mailbox: Mailbox | null
  readonly core: Pick<Core, 'keys' | 'gridKey' | 'storage' | 'log'>
  readonly presence: Presence
  readonly caughtUp: Services['caughtUp']
  readonly upToDate: Services['upToDate']
  /** What a file may cost; tests lower it. */
  readonly mediaLimits?: Partial<WorkerLimits>
  readonly shared?: Partial<Shared>
}

/** Members' copies of their own data; no backup contains them. */
export const exportFolder = (dataDir: string) => join(dataDir, 'exports')

/** Read models that are not clear of an erasure: of one that is behind it is not known yet what it owes. */
async function leftOf({ storage, log }: Pick<Core, 'storage' | 'log'>): Promise<readonly string[]> {
  const behind = await listBehind(storage.pool, log)
  return behind.length > 0 ? behind : (await dropUnfollowed(storage.pool, 'all')).busy
}

/** Histories have no words, and are the same after an erasure. */
async function unerasedOf({ storage }: Pick<Core, 'storage'>, member: MemberId): Promise<readonly string[]> {
  return (await listUnerased(storage.pool, member)).filter((name) => name !== histories.name)
}

/** What an erasure clears of keys and read models, and what it asks of those. */
const clearing = (core: ServiceDeps['core']) => ({
  destroyKey: (subject: string) => core.keys.destroy(subject),
  dropUnknown: async () => void (await dropUnknown(core.storage.pool, allProjections, 'all')),
  dropUnfollowed: () => leftOf(core),
  listUnerased: (member: MemberId) => unerasedOf(core, member),
  showLog: (models: readonly string[]) => showLog(core.storage.pool, core.log, models),
})

/** Everything that is not event-sourced, built once for a process. */
export function createServices(deps: ServiceDeps): Services {
  const { db, secrets, core, config, publicUrl, now, mailer, logger, presence, caughtUp, upToDate, shared = {} } = deps
  const masterKey = masterKeysIn(secrets)
  const mediaSecret = Buffer.from(secrets.mediaSecret, 'utf8')
  const off = !config.rateLimits
  const rowsOf = (of: AppDb): Rows => ({
    sessions: createSessions({ db: of, now }),
    secondFactor: createSecondFactor({ db: of, now, seal: sealBy(core.keys) }),
    credentials: createCredentials({ db: of, now, emailPepper: secrets.emailPepper }),
    codes: createCodes({ db: of, now, resendAfterMs: off ? 0 : CODE_RESEND_MS }),
    undoLinks: createUndoLinks({ db: of, now }),
  })
  const limits = createLimits({ db, off, now, ...(shared.counter && { memory: shared.counter }) })
  return {
    ...rowsOf(db),
    owed: createOwed({ db, rowsOf }),
    challenges: createChallenges({ db, now }),
    programDevice: createProgramDevice({ secret: mediaSecret }),
    tickets: createTickets({ db, secret: mediaSecret, now }),
    addresses: createAddresses({ db }),
    passwords: createPasswords(shared.hashTurns),
    checkPassword: createPasswordPolicy({ minLength: config.passwordMin }),
    google: config.google && createGoogle({ client: config.google, emailPepper: secrets.emailPepper, now }),
    proofs: createSignupProofs({ db, now, masterKey }),
    minors: createMinors({ db, now }),
    barred: createBarred({ db, now }),
    keptBlocks: createKeptBlocks({ db, now }),
    limits,
    idempotency: createIdempotency({ db, now, masterKey, epoch: () => epochOf(core.storage.pool, core.log) }),
    exports: createExports({ db, now, files: createExportFiles(exportFolder(config.dataDir)) }),
    erasure: createErasure({
      db,
      mailbox: deps.mailbox,
      ledger: createErasedLedger(config.dataDir),
      ...clearing(core),
    }),
    loginGuard: createLoginGuard({ db, now, off }),
    codeGuard: createCodeGuard({ db, now, off }),
    mailer,
    media: createMediaFiles({
      db,
      now,
      masterKey,
      store: createFileStore(join(config.dataDir, 'media'), draftFolders(), shared.draftRoom),
      workers: createMediaWorkers({
        ...deps.mediaLimits,
        ...(shared.mediaTurns && { turns: shared.mediaTurns }),
        onEnded: (by) => logger.warn('A process for files ended or did not start.', { kind: 'media-worker', name: by }),
      }),
    }),
    mediaLinks: createMediaLinks({ secret: mediaSecret, now }),
    positions: createPositions({ db, now, masterKey, gridKey: core.gridKey, limits, off }),
    towns: createTowns(),
    presence,
    config: { mode: config.mode, publicUrl, passwordMin: config.passwordMin, google: config.google !== null },
    newId: randomId,
    caughtUp,
    upToDate,
  }
}
