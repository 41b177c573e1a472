import type { Transaction } from 'kysely'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { backOff } from '../../../eventstore/retry.ts'
import { findAddress } from '../../../projections/profiles/queries.ts'
import type { AppSchema } from '../../../services/app-schema.ts'
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
  readonly logger: Logger
}

/** A mail that could not be handed over so often is given up: its address takes none. */
const TRIES = 5

type Sent = 'sent' | 'failed' | 'none'

/**
 * Mails every member whom a restore left a notice for, one after the other, and waits where nobody can have mail. Of two
 * processes each takes other members. A mail whose sender dies before it is noted is sent again.
 */
export function createRestoreNotices(deps: RestoreNoticeDeps): { start(): void; stop(): Promise<void> } {
  const { mailer, logger } = deps
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
    for (let waits = 0; !signal.aborted; ) {
      const sent = await sendNext(deps).catch((error: unknown) => {
        logger.warn('Notices of a restore wait.', { kind: 'restore-notice', ...errorFields(error) })
        return 'failed' as const
      })
      if (sent === 'none') return
      waits = sent === 'sent' ? 0 : waits + 1
      if (sent === 'failed') await backOff(waits, signal)
      while (!signal.aborted && sent === 'failed' && !(await mailer.isUp())) await backOff(waits, signal)
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

const sendNext = (deps: RestoreNoticeDeps): Promise<Sent> =>
  deps.storage.app.transaction().execute((tx) => sendOne(deps, tx))

async function sendOne({ storage, mailer, publicUrl, logger }: RestoreNoticeDeps, tx: Transaction<AppSchema>) {
  const notice = await tx
    .selectFrom('restore_notice')
    .selectAll()
    .orderBy('tries')
    .orderBy('member')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!notice) return 'none'
  const { member, backup_at: backupAt, restored_at: restoredAt, tries } = notice
  const to = await findAddress(storage.read, member as MemberId)
  const mail = restoredMail({ resetUrl: `${publicUrl}/forgot-password`, backupAt, restoredAt })
  const failed = to
    ? await mailer.send({ to, ...mail }).then(
        () => null,
        (error: unknown) => error,
      )
    : null
  const own = <Query extends { where(column: 'member', is: '=', value: string): Query }>(query: Query) =>
    query.where('member', '=', member)
  if (failed && tries + 1 < TRIES) {
    await own(tx.updateTable('restore_notice').set({ tries: tries + 1 })).execute()
    return 'failed'
  }
  if (failed) logger.warn('A notice of a restore is given up.', { kind: 'restore-notice', ...errorFields(failed) })
  await own(tx.deleteFrom('restore_notice')).execute()
  return 'sent'
}
