import type { AppDb } from './app-db.ts'
import type { Clock } from './clock.ts'
import type { Mail, Mailer } from './mailer.ts'

/** Older mails make room (local mode only). */
const KEPT = 1000

export type StoredMail = Mail & { at: Date }
/** Where mail goes while nobody runs a mail server: shown at /dev/mailbox and read by tests. */
export type Mailbox = Mailer & {
  /** Newest first; `to` is an address, in any case. */
  list(filter?: { to?: string }): Promise<StoredMail[]>
  /** Every mail to an address, in any case, but those with the subject `but`. */
  forget(to: string, options?: { but?: string }): Promise<void>
}

export function createMailbox({ db, now }: { db: AppDb; now: Clock }): Mailbox {
  return {
    async send({ to, subject, text, html }) {
      const { id } = await db
        .insertInto('mailbox')
        .values({ to: to.toLowerCase(), subject, text, html, at: now() })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .deleteFrom('mailbox')
        .where('id', '<=', id - KEPT)
        .execute()
    },
    isUp: async () => true,
    async list({ to } = {}) {
      let query = db.selectFrom('mailbox').select(['to', 'subject', 'text', 'html', 'at'])
      if (to !== undefined) query = query.where('to', '=', to.trim().toLowerCase())
      return query.orderBy('id', 'desc').limit(KEPT).execute()
    },
    async forget(to, { but } = {}) {
      let query = db.deleteFrom('mailbox').where('to', '=', to.trim().toLowerCase())
      if (but !== undefined) query = query.where('subject', '<>', but)
      await query.execute()
    },
  }
}
