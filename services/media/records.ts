import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { MediaId, MemberId } from '../../domain/shared/ids.ts'
import type { MediaPurpose } from '../../domain/shared/media.ts'
import type { AppDb } from '../app-db.ts'
import type { AppSchema, MediaRow } from '../app-schema.ts'
import { isKyc, type MediaKind, type UploadError } from './kinds.ts'

/** A member, or a visitor by the id of their sign-up proof. */
export type MediaOwner = { member: MemberId } | { proof: string }
/** Who sends a file; a visitor with the network they come from (`networkOf`). */
export type Uploader = { member: MemberId } | { proof: string; network: string }

export type Media = {
  id: MediaId
  owner: MediaOwner
  purpose: MediaPurpose
  kind: MediaKind
  mime: string
  width: number | null
  height: number | null
  seconds: number | null
  bytes: number
  /** A tiny picture as a data address. */
  placeholder: string | null
  /** Another file under an unrelated id, for those who may not see the original (ruling R2). */
  blurredId: MediaId | null
  /** A video's still. */
  posterId: MediaId | null
  /** Set on derivatives: whoever may see them follows from their original. */
  originalId: MediaId | null
  createdAt: Date
}

/** api-contract §6.2, UPLOAD, and C71 for visitors. */
export const QUOTA = { bytes: 500 * 1024 * 1024, files: 300 } as const
export const PROOF_QUOTA = { visual: 9, audio: 1 } as const

export function toMedia(row: MediaRow): Media {
  return {
    id: row.id as MediaId,
    owner: row.owner === null ? { proof: row.proof ?? '' } : { member: row.owner as MemberId },
    purpose: row.purpose as MediaPurpose,
    kind: row.kind as MediaKind,
    mime: row.mime,
    width: row.width,
    height: row.height,
    seconds: row.seconds,
    bytes: row.bytes,
    placeholder: row.placeholder,
    blurredId: row.blurred_id as MediaId | null,
    posterId: row.poster_id as MediaId | null,
    originalId: row.original_id as MediaId | null,
    createdAt: row.created_at,
  }
}

export function ownedBy(owner: MediaOwner) {
  return (where: ExpressionBuilder<AppSchema, 'media'>): Expression<SqlBool> =>
    'member' in owner ? where('owner', '=', owner.member) : where('proof', '=', owner.proof)
}

/** Writes an upload and its derivatives if they fit in the owner's quota; uploads of one owner take turns here. */
export async function insertWithinQuota(
  db: AppDb,
  owner: MediaOwner,
  rows: readonly MediaRow[],
): Promise<UploadError | null> {
  const [original] = rows
  if (!original) return null
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
  const who = 'member' in owner ? owner.member : owner.proof
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`media ${who}`}, 0))`.execute(tx)
    const used = await tx
      .selectFrom('media')
      .select((select) => [
        select.fn.coalesce(select.fn.sum<number>('bytes'), sql<number>`0`).as('bytes'),
        sql<number>`count(*) filter (where original_id is null)`.as('files'),
        sql<number>`count(*) filter (where original_id is null and kind = 'audio')`.as('audio'),
      ])
      .where(ownedBy(owner))
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
    const full =
      'member' in owner
        ? used.files >= QUOTA.files || used.bytes + bytes > QUOTA.bytes
        : original.kind === 'audio'
          ? used.audio >= PROOF_QUOTA.audio
          : used.files - used.audio >= PROOF_QUOTA.visual
    if (full) return { ok: false, reason: 'member' in owner ? 'storage-full' : 'signup-full' }
    await tx
      .insertInto('media')
      .values([...rows])
      .execute()
    return null
  })
}

/** What a command asks of an upload: the id, and what it may have been uploaded for. */
export type Claim = { id: string; purposes: readonly MediaPurpose[]; kind?: MediaKind }

/** In the order of the claims, or null unless every one is the owner's own, of the right kind, and there. */
export async function findClaimed(
  db: AppDb,
  owner: MediaOwner,
  claims: readonly Claim[],
  forUpdate = false,
): Promise<Media[] | null> {
  if (claims.length === 0) return []
  const ids = claims.map(({ id }) => id)
  let query = db
    .selectFrom('media')
    .selectAll()
    .where('id', 'in', ids)
    .where(ownedBy(owner))
    .where('original_id', 'is', null)
    .where('deleted_at', 'is', null)
  if (forUpdate) query = query.forUpdate()
  const found = new Map((await query.execute()).map((row) => [row.id, toMedia(row)]))
  const media = claims.flatMap(({ id, purposes, kind }) => {
    const one = found.get(id)
    const right = one && purposes.includes(one.purpose) && (kind === undefined || one.kind === kind)
    return right ? [one] : []
  })
  return media.length === claims.length ? media : null
}

export const servable = (media: Media): boolean => !isKyc(media.purpose)
