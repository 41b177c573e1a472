import type pg from 'pg'

/** When the backup was made, and when it came back. */
export type RestoredAt = { readonly backupAt: Date; readonly restoredAt: Date; readonly notify: boolean }

/**
 * Lets nothing that was ended since the backup open an account again: sessions, known browsers, codes and links do not come
 * back. Old passwords do, which nobody can distinguish from new ones, so that every member is to hear of it (`restore_notice`).
 */
export async function endAccess(app: pg.Client, { backupAt, restoredAt, notify }: RestoredAt): Promise<void> {
  await app.query('begin')
  await app.query('delete from app.session')
  await app.query('delete from app.known_device')
  await app.query('delete from app.code')
  await app.query('delete from app.sign_in_challenge')
  await app.query('delete from app.undo_link')
  if (notify) {
    await app.query(
      `insert into app.restore_notice (member, backup_at, restored_at) select member, $1, $2 from app.credential
     on conflict (member) do update set backup_at = least(restore_notice.backup_at, $1), restored_at = $2, tries = 0,
       due_at = default`,
      [backupAt, restoredAt],
    )
    await makeExportsAnew(app, restoredAt)
  } else await oweNoMail(app)
  await app.query('commit')
}

/** Has the copies of members' own data made again that they can have still: no backup has the bytes. One for a member. */
async function makeExportsAnew(app: pg.Client, at: Date): Promise<void> {
  await app.query(
    `delete from app.data_export e where state = 'ready' and (expires_at <= $1 or exists (
       select from app.data_export o where o.member = e.member and o.id <> e.id and (o.state = 'preparing'
         or o.state = 'ready' and (o.asked_at, o.id) > (e.asked_at, e.id))))`,
    [at],
  )
  await app.query(
    `update app.data_export set state = 'preparing', due_at = $1, done = 0, total = 0, tries = 0, bytes = null,
       ready_at = null, expires_at = null, mail_owed = false
     where state = 'ready'`,
    [at],
  )
}

/**
 * Settles what members are owed by mail: whoever rehearses has their addresses, and is not the product they use. A copy of
 * one's data is mailed once it is ready, and one that is ready is made anew where somebody in it is erased; a reactor that
 * has no checkpoint begins at the end of the log, behind which nothing comes that was owed.
 */
async function oweNoMail(app: pg.Client): Promise<void> {
  await app.query('delete from app.restore_notice')
  await app.query('delete from app.data_export')
  await app.query('delete from app.owed_command')
  await app.query(
    `update app.reactor_effect set state = 'given-up', reason = 'rehearsal' where state = 'owed' and reactor like 'mail-%'`,
  )
  await app.query(`delete from app.reactor where name like 'mail-%'`)
}
