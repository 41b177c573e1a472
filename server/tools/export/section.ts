import type { MemberId } from '../../../domain/shared/ids.ts'
import type { Codec } from '../../../eventstore/codec.ts'
import type { Log } from '../../../eventstore/log.ts'
import type { ReadDb } from '../../../projections/projection.ts'
import type { AppDb } from '../../../services/app-db.ts'
import type { MediaFiles } from '../../../services/media/media.ts'
import type { Positions } from '../../../services/nearby/positions.ts'
import type { Sessions } from '../../../services/sessions/sessions.ts'

/** What an export is made from. */
export type Sources = {
  readonly log: Pick<Log, 'pages'>
  readonly codec: Pick<Codec, 'decode'>
  readonly read: ReadDb
  readonly app: AppDb
  readonly sessions: Pick<Sessions, 'list'>
  readonly positions: Pick<Positions, 'findRaw'>
  readonly media: Pick<MediaFiles, 'list' | 'open'>
}

/** Whose export it is, and what is asked while it is made. */
export type Asking = Sources & { readonly member: MemberId; readonly signal: AbortSignal }

/** One JSON file of the archive: a list, given piece by piece. */
export type Section = {
  readonly path: string
  readonly title: string
  /** A sentence for the readable page. */
  readonly about: string
  readonly items: () => AsyncIterable<unknown>
}
