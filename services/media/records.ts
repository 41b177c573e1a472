import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { minutes } from '../../domain/shared/dates.ts'
import type { MediaId, MemberId } from '../../domain/shared/ids.ts'
import type { MediaPurpose } from '../../domain/shared/media.ts'
import type { AppDb } from '../app-db.ts'
import type { AppSchema, MediaFormRow, MediaRow, NewMediaRow } from '../app-schema.ts'
import { isErased } from '../erased.ts'
import { addJob } from '../jobs/add-job.ts'
import { isOpenProof } from '../signup-proofs.ts'
import { committed } from './commit.ts'
import { failed, isKyc, type MediaKind, signupFull, storageFull, type UploadError } from './kinds.ts'

/** A member, or a visitor by the id of their sign-up proof. */
export type MediaOwner = { member: MemberId } | { proof: string }
/** Who registers: their uploads are the visitor's until the hand-over, and the new member's from then on. */
export type Registrant = { proof: string; member: MemberId }
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

/**
 * api-contract §6.2, UPLOAD, and C71 for visitors. The bytes are those of a member, or of all sign-up proofs of one
 * address: nine videos with their stills and a voice fit in.
 */
export const QUOTA = { bytes: 500 * 1024 * 1024, files: 300 } as const
export const PROOF_QUOTA = { visual: 9, audio: 1 } as const

export function toMedia(row: NewMediaRow): Media {
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

/** For a registrant, what is either's. */
export function ownedBy(owner: MediaOwner | Registrant) {
  return (where: ExpressionBuilder<AppSchema, 'media'>): Expression<SqlBool> =>
    where.or([
      ...('member' in owner ? [where('owner', '=', owner.member)] : []),
      ...('proof' in owner ? [where('proof', '=', owner.proof)] : []),
    ])
}

/** Whose quota it is: what one owner uploads at once is counted one upload after the other. */
type Account = { readonly name: string; readonly files: Where; readonly bytes: Where }
type Where = (where: ExpressionBuilder<AppSchema, 'media'>) => Expression<SqlBool>

async function accountOf(db: AppDb, owner: MediaOwner): Promise<Account> {
  const own = ownedBy(owner)
  if ('member' in owner) return { name: owner.member, files: own, bytes: own }
  const proof = await db.selectFrom('signup_proof').select('email_key').where('id', '=', owner.proof).executeTakeFirst()
  if (!proof) return { name: owner.proof, files: own, bytes: own }
  const proofs = db.selectFrom('signup_proof').select('id').where('email_key', '=', proof.email_key)
  return { name: proof.email_key, files: own, bytes: (where) => where('proof', 'in', proofs) }
}

/** An upload, its derivatives, and the forms of each. */
type Kept = { readonly rows: readonly NewMediaRow[]; readonly forms: readonly MediaFormRow[] }
/** `later`: nobody waits for the forms that are owed. */
type Keeping = Kept & { readonly write: () => Promise<unknown>; readonly at: Date; readonly later?: boolean }

/**
 * Has an upload and its derivatives written, then notes them, if they fit in the owner's quota. Uploads of one owner take
 * turns here, so that what is written never exceeds it. Refused to whoever was erased, or whose sign-up is over, meanwhile.
 */
export async function keepWithinQuota(
  db: AppDb,
  owner: MediaOwner,
  { rows, forms, write, at, later = false }: Keeping,
): Promise<UploadError | null> {
  const account = await accountOf(db, owner)
  return committed(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`media ${account.name}`}, 0))`.execute(tx)
    if (!(await mayOwn(tx, owner, at))) return failed
    const refusal = refusalOf(owner, { rows, forms }, await usedBy(tx, account))
    if (refusal) return refusal
    await write()
    await tx
      .insertInto('media')
      .values([...rows])
      .execute()
    if (forms.length > 0)
      await tx
        .insertInto('media_form')
        .values([...forms])
        .execute()
    if (rows.some(mayHaveForms))
      await addJob(tx, 'derive', {}, { inMs: FORMS_AFTER_MS[later ? 'later' : 'soon'], orSooner: true })
    return null
  })
}

/** Not at once: whoever uploads has the workers to themselves, and much of it is thrown away again. */
const FORMS_AFTER_MS = { soon: minutes(1), later: minutes(5) }
const mayHaveForms = ({ kind, purpose }: NewMediaRow) => kind === 'image' && !isKyc(purpose)

const mayOwn = async (tx: AppDb, owner: MediaOwner, at: Date): Promise<boolean> =>
  'member' in owner ? !(await isErased(tx, owner.member)) : isOpenProof(tx, owner.proof, at)

type Used = { readonly bytes: number; readonly files: number; readonly audio: number }

async function usedBy(db: AppDb, account: Account): Promise<Used> {
  const stored = db.selectFrom('media').where('deleted_at', 'is', null)
  const { bytes } = await stored
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('media_form')
          .select(({ fn }) => fn.sum<number>('bytes').as('more'))
          .whereRef('media_form.media', '=', 'media.id')
          .as('forms'),
      (join) => join.onTrue(),
    )
    .select(sql<number>`coalesce(sum(bytes + coalesce(more, 0)), 0)`.as('bytes'))
    .where(account.bytes)
    .executeTakeFirstOrThrow()
  const counts = await stored
    .select([sql<number>`count(*)`.as('files'), sql<number>`count(*) filter (where kind = 'audio')`.as('audio')])
    .where(account.files)
    .where('original_id', 'is', null)
    .executeTakeFirstOrThrow()
  return { bytes, ...counts }
}

function refusalOf(owner: MediaOwner, { rows, forms }: Kept, used: Used): UploadError | null {
  const isAudio = rows[0]?.kind === 'audio'
  const visual = used.files - used.audio
  if ('proof' in owner && (isAudio ? used.audio >= PROOF_QUOTA.audio : visual >= PROOF_QUOTA.visual)) return signupFull
  const bytes = [...rows, ...forms].reduce((sum, row) => sum + row.bytes, used.bytes)
  return bytes > QUOTA.bytes || ('member' in owner && used.files >= QUOTA.files) ? storageFull : null
}

/** What a command asks of an upload: the id, and what it may have been uploaded for. */
export type Claim = { id: string; purposes: readonly MediaPurpose[]; kind?: MediaKind }

/** Without what is derived from them, and without those that are being removed. */
export const uploadsOf = (db: AppDb, owner: MediaOwner | Registrant) =>
  db
    .selectFrom('media')
    .selectAll()
    .where(ownedBy(owner))
    .where('original_id', 'is', null)
    .where('deleted_at', 'is', null)

/** In the order of the claims, or null unless every one is the owner's own, of the right kind, and there. */
export async function findClaimed(
  db: AppDb,
  owner: MediaOwner | Registrant,
  claims: readonly Claim[],
  forUpdate = false,
): Promise<Media[] | null> {
  if (claims.length === 0) return []
  const ids = claims.map(({ id }) => id)
  const query = uploadsOf(db, owner).where('id', 'in', ids).orderBy('id')
  return claimedOf(await (forUpdate ? query.forUpdate() : query).execute(), claims)
}

/** Of these uploads. In the order of the claims, or null unless every one is there, and of the right kind. */
export function claimedOf(rows: readonly MediaRow[], claims: readonly Claim[]): Media[] | null {
  const found = new Map(rows.map((row) => [row.id, toMedia(row)]))
  const media = claims.flatMap(({ id, purposes, kind }) => {
    const one = found.get(id)
    const right = one && purposes.includes(one.purpose) && (kind === undefined || one.kind === kind)
    return right ? [one] : []
  })
  return media.length === claims.length ? media : null
}

/** In a transaction: keeps what is claimed from the sweep, for an owner who is not erased. Answers it as it was before. */
export async function attach(
  tx: AppDb,
  at: Date,
  owner: MediaOwner,
  claims: readonly Claim[],
): Promise<Media[] | null> {
  if ('member' in owner && (await isErased(tx, owner.member))) return null
  const media = await findClaimed(tx, owner, claims, true)
  if (!media || media.length === 0) return media
  const ids = media.map(({ id }) => id)
  await tx.updateTable('media').set({ attached_at: at }).where('id', 'in', ids).execute()
  return media
}

export const servable = (media: Media): boolean => !isKyc(media.purpose)
