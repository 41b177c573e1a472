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

/** A mail that no server has taken for so long after the restore is given up. */
const GIVEN_UP_AFTER_MS = hours(72)
/** After its first try a notice waits so long, after each other one twice as long. */
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = hours(1)
const LOOK_EVERY_MS = minutes(1)
const KIND = { kind: 'restore-notice' }

const pauseFor = (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal }).catch(() => undefined)

/**
 * Mails every member whom a restore left a notice for, one after the other, each again until its server takes it or
 * refuses the address for good. Of two processes each takes other members. A mail whose sender dies before it is noted
 * is sent again.
 */
export function createRestoreNotices(deps: RestoreNoticeDeps): { start(): void; stop(): Promise<void> } {
  const { logger, pause = pauseFor } = deps
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

/** Sends one notice that is due. Answers for how long nothing is to be done; null when nobody is owed a notice. */
async function sendDue(deps: RestoreNoticeDeps): Promise<number | null> {
  const { app } = deps.storage
  // Also those that another process has taken: it may die before it has sent them.
  const next = await app.selectFrom('restore_notice').select('due_at').orderBy('due_at').limit(1).executeTakeFirst()
  if (!next) return null
  const ms = next.due_at.getTime() - deps.now().getTime()
  if (ms > 0) return Math.min(ms, LOOK_EVERY_MS)
  if (!(await deps.mailer.isUp())) return FIRST_WAIT_MS
  return (await app.transaction().execute((tx) => sendOne(deps, tx))) ? 0 : FIRST_WAIT_MS
}

/** False where others have taken all that is due. */
async function sendOne(deps: RestoreNoticeDeps, tx: Transaction<AppSchema>): Promise<boolean> {
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
  const to = await findAddress(storage.read, member as MemberId)
  const mail = restoredMail({ resetUrl: `${publicUrl}/forgot-password`, backupAt, restoredAt })
  const failed = to
    ? await mailer.send({ to, ...mail }).then(
        () => null,
        (error: unknown) => error ?? new Error(),
      )
    : null
  if (failed && !isGivenUp(deps, restoredAt, failed)) {
    const due_at = addMs(now(), Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries))
    await tx
      .updateTable('restore_notice')
      .set({ tries: tries + 1, due_at })
      .where('member', '=', member)
      .execute()
  } else await tx.deleteFrom('restore_notice').where('member', '=', member).execute()
  return true
}

/** Everything but a lasting refusal of the address may pass: a server that throttles, or does not know the address yet. */
function isGivenUp({ now, logger }: RestoreNoticeDeps, restoredAt: Date, error: unknown): boolean {
  if (isRefusedForGood(error)) {
    logger.warn('A notice of a restore is given up: the mail server refuses its address.', {
      ...KIND,
      ...errorFields(error),
    })
    return true
  }
  if (now() < addMs(restoredAt, GIVEN_UP_AFTER_MS)) return false
  logger.error('A notice of a restore is given up: no mail server took it in time.', { ...KIND, ...errorFields(error) })
  return true
}

/** A refusal of the sender or of the message, which concerns every member, is none. */
function isRefusedForGood(error: unknown): boolean {
  const { command, responseCode = 0 } = error as { command?: string; responseCode?: number }
  return command === 'RCPT TO' && responseCode >= 550 && responseCode <= 559
}
