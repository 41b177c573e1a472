import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { MemberId } from '../../../domain/shared/ids.ts'
import type { ReadDb } from '../../../projections/projection.ts'
import { type FetchedMedia, mayFetchMedia, mediaFacts } from '../../../projections/view/media-access.ts'
import type { AppSchema } from '../../../services/app-schema.ts'
import type { MediaForm } from '../../../services/media/forms.ts'
import { type Media, toMedia } from '../../../services/media/records.ts'
import type { SessionRow, Sessions } from '../../../services/sessions/sessions.ts'

/** `signer`: who signed the address, in place of a session. */
export type AskedFile = { readonly id: string; readonly session: string | null; readonly signer: MemberId | null }

/** A file that is there, and the forms of it. */
export type StoredMedia = { readonly media: Media; readonly forms: readonly MediaForm[] }
export type FoundMedia = {
  /** Whoever asks, by a live session or a signature. */
  readonly viewer: MemberId | null
  readonly stored: StoredMedia | null
  /** Whether the policy lets the viewer have it. */
  readonly isAllowed: boolean
}
export type FindMedia = (asked: AskedFile) => Promise<FoundMedia>

type Tables = {
  'app.session': AppSchema['session']
  'app.media': AppSchema['media']
  'app.media_form': AppSchema['media_form']
}
/** Both schemas at once, as in `server/acting.ts`: a page shows many files, and each asks all of this (decision 0040). */
const both = (read: ReadDb) => read.withTables<Tables>()

/** Who asks, the file with its forms, and what decides whether the one may have the other, in one query. */
export function createFindMedia({ read, sessions }: { read: ReadDb; sessions: Sessions }): FindMedia {
  const find = builtOnce(read)
  return async ({ id, session: token, signer }) => {
    const row = await find({ id, key: token === null ? null : sessions.keyOf(token), signer })
    const session = row.session_id === null ? null : await sessions.admit(sessionOf(row))
    const viewer = signer ?? session?.member ?? null
    if (row.id === null) return { viewer, stored: null, isAllowed: false }
    const media = toMedia(row as Parameters<typeof toMedia>[0])
    const isAllowed = viewer !== null && row.viewer_status === 'active' && mayHave(viewer, media, row)
    return { viewer, stored: { media, forms: row.stored_forms }, isAllowed }
  }
}

function mayHave(viewer: MemberId, { id, owner, purpose, originalId }: Media, row: Row): boolean {
  if ('proof' in owner) return false
  // A video's still is derived too, and is as sharp as the video.
  const isBlurred = originalId !== null && row.twin_of_original === id
  const file: FetchedMedia = { id, owner: owner.member, purpose, isBlurred, originalId }
  return mayFetchMedia(viewer, file, row)
}

const sessionOf = (row: Row) =>
  ({
    id: row.session_id,
    member: row.session_member,
    label: row.session_label,
    remember: row.session_remember,
    created_at: row.session_created_at,
    last_seen_at: row.session_last_seen_at,
    auth_at: row.session_auth_at,
  }) as SessionRow

/** Values of the first build, which the values of each request replace. */
const PLACES = { id: 'The id.', key: Buffer.from('The key.'), signer: 'The signer.' as MemberId }
type Places = { readonly id: string; readonly key: Buffer | null; readonly signer: MemberId | null }
type Row = Awaited<ReturnType<ReturnType<typeof query>['executeTakeFirstOrThrow']>>

function builtOnce(read: ReadDb) {
  const { parameters, ...compiled } = query(read).compile()
  return async (places: Places): Promise<Row> => {
    const value = (given: unknown) => {
      const place = (Object.keys(PLACES) as (keyof Places)[]).find((name) => PLACES[name] === given)
      return place ? places[place] : given
    }
    const { rows } = await read.executeQuery<Row>({ ...compiled, parameters: parameters.map(value) })
    return rows[0]!
  }
}

/** One row, whatever is there of what was asked for. Its names for tables are none of those within `mediaFacts`. */
function query(read: ReadDb) {
  const { id, key, signer } = PLACES
  return both(read)
    .selectFrom(
      sql<{ id: string; key: Buffer | null; signer: string | null }>`(select ${id}::text as id, ${key}::bytea as key,
          ${signer}::text as signer)`.as('asked'),
    )
    .leftJoin('app.session as session', 'session.token_hash', 'asked.key')
    .leftJoin('app.media as file', (join) => join.onRef('file.id', '=', 'asked.id').on('file.deleted_at', 'is', null))
    .leftJoin('app.media as original', 'original.id', 'file.original_id')
    .leftJoin('account as viewer', (join) =>
      join.on(sql<boolean>`viewer.member = coalesce(asked.signer, session.member)`),
    )
    .leftJoinLateral(
      () =>
        mediaFacts(read, {
          viewer: sql.ref('viewer.member'),
          owner: sql.ref('file.owner'),
          purpose: sql.ref('file.purpose'),
          media: sql`coalesce(file.original_id, file.id)`,
        }).as('facts'),
      (join) => join.onTrue(),
    )
    .selectAll('file')
    .selectAll('facts')
    .select(['session.id as session_id', 'session.member as session_member', 'session.label as session_label'])
    .select(['session.remember as session_remember', 'session.created_at as session_created_at'])
    .select(['session.last_seen_at as session_last_seen_at', 'session.auth_at as session_auth_at'])
    .select(['viewer.status as viewer_status', 'original.blurred_id as twin_of_original'])
    .select(({ selectFrom }) =>
      jsonArrayFrom(
        selectFrom('app.media_form as form')
          .select(['form.file', 'form.side', 'form.mime', 'form.bytes'])
          .whereRef('form.media', '=', 'file.id'),
      ).as('stored_forms'),
    )
}
