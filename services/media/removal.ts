import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { hours } from '../../domain/shared/dates.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { AppDb } from '../app-db.ts'
import type { AppSchema } from '../app-schema.ts'
import type { Clock } from '../clock.ts'
import { formRowsOf } from './forms.ts'
import { GALLERY_PURPOSES } from './kinds.ts'
import { type Media, type MediaOwner, ownedBy, toMedia } from './records.ts'
import { noteRemoved, sweepRemoved } from './removed.ts'
import type { MediaStore } from './store.ts'

/** Unused uploads, and papers shown for verification, are gone after this (api-contract C71, security T18). */
export const ORPHAN_MS = hours(24)

export type MediaRemoval = {
  /** With the bytes and everything derived from it. False when it was not there, or was not the owner's at that moment. */
  remove(id: string, owner: MediaOwner): Promise<boolean>
  /** All of an owner's files; answers how many uploads there were. */
  removeAll(owner: MediaOwner): Promise<number>
  /**
   * A member's uploads for a gallery that were last kept or attached before then, but those that it names. Answers how many.
   */
  removeUnnamed(member: MemberId, named: readonly string[], before: Date): Promise<number>
  /**
   * Orphans, old papers, files of the erased, interrupted removals, notes of long ago, files that no row knows, and what
   * `removeLeft` does. What is left when `signal` ends is for the next one.
   */
  sweep(signal?: AbortSignal): Promise<number>
}

type Deps = { db: AppDb; now: Clock; store: MediaStore }
type Where = (where: ExpressionBuilder<AppSchema, 'media'>) => Expression<SqlBool>

export function createMediaRemoval(deps: Deps): MediaRemoval {
  const { now, store } = deps
  const noted: Marked = async (tx, uploads) => {
    for (const media of uploads) await noteRemoved({ db: tx, now }, media)
  }
  return {
    async remove(id, owner) {
      const isOwn: Where = (where) =>
        where.and([where('id', '=', id), where('deleted_at', 'is', null), ownedBy(owner)(where)])
      return (await removeUploads(deps, isOwn, { marked: noted })) > 0
    },
    removeUnnamed: (member, named, before) => removeUploads(deps, isUnnamed(member, named, before), { marked: noted }),
    removeAll: (owner) => removeUploads(deps, ownedBy(owner)),
    async sweep(signal) {
      const old = new Date(now().getTime() - ORPHAN_MS)
      const removed = await removeUploads(deps, isUnused(old), { signal })
      const strays = await removeStrays(deps, old, signal)
      if (signal?.aborted) return removed + strays
      return removed + strays + (await sweepRemoved(deps)) + (await store.removeLeft())
    },
  }
}

const isUnused =
  (before: Date): Where =>
  (where) =>
    where.or([
      where('deleted_at', 'is not', null),
      where('owner', 'in', where.selectFrom('destroyed_key').select('subject')),
      where.and([
        where('created_at', '<', before),
        where.or([where('attached_at', 'is', null), where('purpose', 'like', 'kyc-%')]),
      ]),
    ])

const isUnnamed =
  (member: MemberId, named: readonly string[], before: Date): Where =>
  (where) =>
    where.and([
      where('owner', '=', member),
      where('purpose', 'in', GALLERY_PURPOSES),
      where('attached_at', '<', before),
      ...(named.length > 0 ? [where('id', 'not in', named)] : []),
    ])

type Marked = (tx: AppDb, uploads: readonly Media[]) => Promise<unknown>
type Removing = { readonly marked?: Marked; readonly signal?: AbortSignal | undefined }

/** So few that a statement can name them, and that others wait for no more than these. */
const BATCH = 500

/** Answers how many uploads there were. Each batch is removed wholly before the next is marked. */
async function removeUploads(deps: Deps, which: Where, { marked, signal }: Removing = {}): Promise<number> {
  const found = await originalsOf(deps.db, which).execute()
  let removed = 0
  for (let from = 0; from < found.length && !signal?.aborted; from += BATCH) {
    const batch = found.slice(from, from + BATCH).map(({ id }) => id)
    const inBatch: Where = (where) => where.and([where('id', 'in', batch), which(where)])
    removed += await removeBatch(deps, inBatch, marked)
  }
  return removed
}

/** The mark comes first: an interrupted removal is finished by the sweep, and nobody is served meanwhile. */
async function removeBatch({ db, now, store }: Deps, which: Where, marked?: Marked): Promise<number> {
  const { uploads, files } = await db.transaction().execute(async (tx) => {
    const uploads = await markUploads(tx, which, now())
    await marked?.(tx, uploads)
    const ids = uploads.map(({ id }) => id)
    const files = [...ids, ...(await markDerived(tx, ids, now()))]
    return { uploads: ids, files: [...files, ...(await formsOf(tx, files))] }
  })
  if (uploads.length === 0) return 0
  await Promise.all(files.map((id) => store.remove(id)))
  // Derived rows, and those of forms, go with those of their uploads.
  const inOrder = db.selectFrom('media').select('id').where('id', 'in', uploads).orderBy('id').forUpdate()
  await db.deleteFrom('media').where('id', 'in', inOrder).execute()
  return uploads.length
}

/** In the order in which whoever takes several uploads takes them. */
const originalsOf = (db: AppDb, which: Where) =>
  db.selectFrom('media').select('id').where('original_id', 'is', null).where(which).orderBy('id')

/** Each is judged as it is once it is locked: what was handed over or came into use meanwhile is not marked. */
async function markUploads(tx: AppDb, which: Where, at: Date): Promise<Media[]> {
  const inOrder = originalsOf(tx, which).forUpdate()
  const rows = await tx.updateTable('media').set({ deleted_at: at }).where('id', 'in', inOrder).returningAll().execute()
  return rows.map(toMedia)
}

/** Only who has locked an upload touches what is derived from it. */
async function markDerived(tx: AppDb, uploads: readonly string[], at: Date): Promise<string[]> {
  if (uploads.length === 0) return []
  const derived = tx.updateTable('media').set({ deleted_at: at }).where('original_id', 'in', uploads)
  return (await derived.returning('id').execute()).map(({ id }) => id)
}

/** Whoever adds a form has locked its upload, and found it unmarked. */
async function formsOf(tx: AppDb, media: readonly string[]): Promise<string[]> {
  if (media.length === 0) return []
  return (await formRowsOf(tx, media).execute()).map(({ file }) => file)
}

/** A file that is on its way has no row yet, and is not old: rows are asked for first. */
async function removeStrays({ db, store }: Deps, before: Date, signal?: AbortSignal): Promise<number> {
  let removed = 0
  for await (const ids of batchesOf(store.ids())) {
    for (const id of await unknownOf(db, ids)) {
      if (signal?.aborted) return removed
      if (!(await store.isOlder(id, before))) continue
      await store.remove(id)
      removed++
    }
  }
  await store.removeOldDrafts(before)
  return removed
}

async function* batchesOf(ids: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let batch: string[] = []
  for await (const id of ids) {
    if (batch.push(id) < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Those of these files that no row names. */
async function unknownOf(db: AppDb, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from unnest(${ids}::text[]) id
    where id not in (select id from app.media where id = any(${ids})
      union all select file from app.media_form where file = any(${ids}))`.execute(db)
  return rows.map(({ id }) => id)
}
