import { setTimeout as wait } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import { addMs, hours, minutes } from '../../../domain/shared/dates.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { backOff } from '../../../eventstore/retry.ts'
import { findAddress } from '../../../projections/profiles/queries.ts'
import type { AppSchema } from '../../../services/app-schema.ts'
import type { Clock } from '../../../services/clock.ts'
import { errorFields, type Logger } from '../../../services/log.ts'
import type { Mailer } from '../../../services/mailer.ts'
import { restoredMail } from '../../../services/mails.ts'
import type { Storage } from '../../storage.ts'

export type RestoreNoticeDeps = {
  readonly storage: Pick<Storage, 'app' | 'read'>
  readonly mailer: Mailer
  /** Whether the read models of that name show everything. */
  readonly upToDate: (models: readonly string[]) => Promise<boolean>
  readonly publicUrl: string
  readonly now: Clock
  readonly logger: Logger
  /** Resolves after that time, or once the signal ends. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** After its first try a notice waits so long, after each other one twice as long. */
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = hours(1)
/** Between so many tries lie 72 hours and some minutes, not counting those in which nobody could have mail. */
const MOST_TRIES = 84
const LOOK_EVERY_MS = minutes(1)
/** Greylisting is over by then: the tries take a quarter of an hour. */
const LOGGED_FROM_TRY = 10
const LOG_EVERY_MS = hours(1)
/** Due then: taken by a server. Such a notice stays until no other is owed, because it shows that the server takes mail. */
const TAKEN = new Date('9999-12-31T00:00:00Z')
const KIND = { kind: 'restore-notice' }

const pauseFor = (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal }).catch(() => undefined)

/** With the log line that no notice at all was taken so far. */
type Sending = RestoreNoticeDeps & { readonly logNoneTaken: (error: unknown) => void }

/**
 * Mails every member whom a restore left a notice for, one after the other, each again until a server takes it or is
 * known to never do. Of two processes each takes other members. A mail whose sender dies before it is noted is sent
 * again.
 */
export function createRestoreNotices(options: RestoreNoticeDeps): { start(): void; stop(): Promise<void> } {
  const { logger, pause = pauseFor } = options
  const deps: Sending = { ...options, logNoneTaken: noneTakenLog(options) }
  const stopped = new AbortController()
  const { signal } = stopped
  let running: Promise<void> = Promise.resolve()

  /** A member without an address is one who is gone, once the addresses are all there. */
  async function addressesAreThere(): Promise<void> {
    for (let waits = 0; !signal.aborted && !(await deps.upToDate(['profiles']).catch(() => false)); waits++)
      await backOff(waits, signal)
  }

  async function run(): Promise<void> {
    await addressesAreThere()
    while (!signal.aborted) {
      const ms = await sendDue(deps).catch((error: unknown) => {
        logger.warn('Notices of a restore wait.', { ...KIND, ...errorFields(error) })
        return FIRST_WAIT_MS
      })
      if (ms === null) return
      if (ms > 0) await pause(ms, signal)
    }
  }

  return {
    start() {
      running = run()
    },
    async stop() {
      stopped.abort()
      await running
    },
  }
}

/** One line for all members, now and then: what a server refuses everybody is one fault. */
function noneTakenLog({ now, logger }: RestoreNoticeDeps): Sending['logNoneTaken'] {
  let next = 0
  return (error) => {
    if (now().getTime() < next) return
    next = now().getTime() + LOG_EVERY_MS
    logger.error('The mail server takes no notice of a restore. All of them wait.', { ...KIND, ...errorFields(error) })
  }
}

/** Sends one notice that is due. Answers for how long nothing is to be done; null when nobody is owed a notice. */
async function sendDue(deps: Sending): Promise<number | null> {
  const { app } = deps.storage
  // Also those that another process has locked: it may die before it has sent them.
  const next = await app
    .selectFrom('restore_notice')
    .select('due_at')
    .where('due_at', '<', TAKEN)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  if (!next) {
    await app.deleteFrom('restore_notice').where('due_at', '=', TAKEN).execute()
    return null
  }
  const ms = next.due_at.getTime() - deps.now().getTime()
  if (ms > 0) return Math.min(ms, LOOK_EVERY_MS)
  if (!(await deps.mailer.isUp())) return FIRST_WAIT_MS
  return (await app.transaction().execute((tx) => sendOne(deps, tx))) ? 0 : FIRST_WAIT_MS
}

/** False where others have locked all that is due. */
async function sendOne(deps: Sending, tx: Transaction<AppSchema>): Promise<boolean> {
  const { storage, mailer, publicUrl, now } = deps
  const notice = await tx
    .selectFrom('restore_notice')
    .selectAll()
    .where('due_at', '<=', now())
    .orderBy('due_at')
    .orderBy('member')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!notice) return false
  const { member, backup_at: backupAt, restored_at: restoredAt, tries } = notice
  const own = tx.updateTable('restore_notice').where('member', '=', member)
  const to = await findAddress(storage.read, member as MemberId)
  const mail = restoredMail({ resetUrl: `${publicUrl}/forgot-password`, backupAt, restoredAt })
  const failed = to
    ? await mailer.send({ to, ...mail }).then(
        () => null,
        (error: unknown) => error ?? new Error(),
      )
    : null
  if (to && !failed) await own.set({ due_at: TAKEN }).execute()
  else if (to && !(await isGivenUp(deps, tx, { tries: tries + 1, error: failed }))) {
    const due_at = addMs(now(), Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries))
    await own.set({ tries: tries + 1, due_at }).execute()
  } else await tx.deleteFrom('restore_notice').where('member', '=', member).execute()
  return true
}

type Failed = { readonly tries: number; readonly error: unknown }

/**
 * Everything but an unknown address may pass: a server that throttles, or does not know it yet. A server that has taken
 * nobody's notice proves nothing about an address: what it answers everybody is its own setting, or the product's.
 */
async function isGivenUp(
  { logger, logNoneTaken }: Sending,
  tx: Transaction<AppSchema>,
  { tries, error }: Failed,
): Promise<boolean> {
  const taken = await tx.selectFrom('restore_notice').select('member').where('due_at', '=', TAKEN).limit(1).execute()
  const fields = { ...KIND, ...errorFields(error) }
  if (taken.length === 0) {
    if (tries >= LOGGED_FROM_TRY) logNoneTaken(error)
  } else if (isUnknownAddress(error)) {
    logger.warn('A notice of a restore is given up: the mail server does not know its address.', fields)
    return true
  } else if (tries >= MOST_TRIES) {
    logger.error('A notice of a restore is given up: no mail server took it in time.', fields)
    return true
  }
  return false
}

/**
 * By the enhanced code (RFC 3463), of those on the receiver's address. The reply code alone is the same for a relay that
 * is denied and for a blocklist, and 5.1.7 and 5.1.8 are on the sender's address.
 */
const UNKNOWN_ADDRESS = /^5\d\d[ -]5\.1\.(?:1|2|3|6|10)\b/

function isUnknownAddress(error: unknown): boolean {
  const { command, response } = error as { command?: string; response?: string }
  return command === 'RCPT TO' && typeof response === 'string' && UNKNOWN_ADDRESS.test(response)
}
