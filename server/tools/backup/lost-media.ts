import { basename } from 'node:path'
import type pg from 'pg'
import type { Manifest } from './manifest.ts'

/** Uploads any file of which is not among these, and does not wait to be removed. */
const LOST = `select coalesce(original_id, id) as id from app.media
  where deleted_at is null and not id = any($1)`

/** Of a form alone nothing is lost: the picture owes it again. */
const OWE_AGAIN = `with lost as (delete from app.media_form where not file = any($1) returning media)
  update app.media o set forms = 'owed', forms_tries = 0, forms_due_at = null
  from lost join app.media m on m.id = lost.media where o.id = coalesce(m.original_id, m.id)`

/**
 * Removes the rows of uploads that the backup has not every file of, as when they were removed while it was made: a row
 * alone leads to nothing. Whose they were stays known, as after any removal. Answers how many uploads there were.
 */
export async function removeLost(app: pg.Client, { files }: Manifest, at: Date): Promise<number> {
  const there = files.flatMap(({ path }) => (path.startsWith('media/') ? [basename(path)] : []))
  const { rows } = await app.query<{ id: string }>(LOST, [there])
  const lost = [...new Set(rows.map(({ id }) => id))]
  await app.query('begin')
  await app.query(
    `insert into app.removed_media (id, owner, removed_at)
     select m.id, o.owner, $2 from app.media m join app.media o on o.id = coalesce(m.original_id, m.id)
     where o.id = any($1) and o.owner is not null and o.purpose not like 'kyc-%' on conflict do nothing`,
    [lost, at],
  )
  // Derived rows go with those of their uploads.
  await app.query('delete from app.media where id = any($1)', [lost])
  await app.query(OWE_AGAIN, [there])
  await app.query('commit')
  return lost.length
}
