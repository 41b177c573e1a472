import { sql } from 'kysely'
import { hours, minutes } from '../../domain/shared/dates.ts'
import type { AppDb } from '../app-db.ts'
import type { MediaRow } from '../app-schema.ts'
import type { Clock } from '../clock.ts'
import { formRowsOf } from './forms.ts'
import { keepForms } from './keep-forms.ts'
import { makeLacking } from './lacking-forms.ts'
import type { MediaStore } from './store.ts'
import type { MediaWorkers } from './workers/workers.ts'

/**
 * What one round did, without anybody's ids. `left`: pictures that owe forms still; `givenUp`: of `failed`, for good; `postponed`:
 * those at which the store, the database or a process failed, or whose file is lost, with the last `error`.
 */
export type DerivedRound = {
  readonly made: number
  readonly failed: number
  readonly givenUp: number
  readonly postponed: number
  readonly left: number
  readonly error?: unknown
}
type Options = { readonly signal?: AbortSignal; readonly report?: (round: DerivedRound) => void }

export type MediaDeriving = {
  /**
   * Makes the forms that some pictures owe: the newest that was not tried first, then those that are due again. Answers in how many
   * milliseconds to come again, or null when none is owed but by pictures whose files are lost. What fails is tried again a few
   * times, and never keeps a picture from being shown. A store that fails is no fault of a picture.
   */
  deriveForms(options?: Options): Promise<number | null>
}

/** So few that their processes rest now and then. */
const ROUND = 10
/** Between rounds: pages and uploads share the cores. */
const REST_MS = 2_000
const BUSY_MS = 15_000
export const FORMS_TRIES = 5
const AGAIN_MS = minutes(2)
/** A store that has failed so often in a row is away: others wait for it; so they do for processes. */
const AWAY_AFTER = 3
const AWAY_MS = minutes(1)
/** For a picture that the store or a process failed at. */
const POSTPONED_MS = hours(1)
/** The first of these for a picture whose file is lost; the others are each twice as long, up to the last. */
const LOST_MS = { first: hours(1), last: hours(24) }

/** The system ended it, or it does not start: most often no fault of the picture. */
class WorkerCrashed extends Error {
  override name = 'WorkerCrashed'
}

type Deps = { db: AppDb; now: Clock; store: MediaStore; workers: MediaWorkers }
type Postponed = { readonly error: unknown; readonly isLost?: boolean }
type Tried = 'made' | 'failed' | 'given-up' | Postponed

export function createMediaDeriving(deps: Deps): MediaDeriving {
  return {
    async deriveForms({ signal, report } = {}) {
      const tried: Tried[] = []
      let rest = REST_MS
      while (tried.length < ROUND && !signal?.aborted) {
        const next = await deriveNext(deps, signal)
        if (next === 'busy') rest = BUSY_MS
        if (next === null || next === 'busy') break
        tried.push(next)
        if (!isAway(tried)) continue
        rest = AWAY_MS
        break
      }
      const { left, dueInMs } = await owedBy(deps)
      if (tried.length > 0) report?.({ ...summaryOf(tried), left })
      return dueInMs === null ? null : Math.max(rest, dueInMs)
    },
  }
}

const isPostponed = (one: Tried): one is Postponed => typeof one !== 'string'
function isAway(tried: readonly Tried[]): boolean {
  const last = tried.filter((one) => !(isPostponed(one) && one.isLost)).slice(-AWAY_AFTER)
  return last.length === AWAY_AFTER && last.every(isPostponed)
}

function summaryOf(tried: readonly Tried[]): Omit<DerivedRound, 'left'> {
  const count = (what: Tried) => tried.filter((one) => one === what).length
  const [givenUp, postponed] = [count('given-up'), tried.filter(isPostponed)]
  return {
    made: count('made'),
    failed: count('failed') + givenUp,
    givenUp,
    postponed: postponed.length,
    ...(postponed.length > 0 && { error: postponed.at(-1)?.error }),
  }
}

/** Written out, as the index has it. */
const owing = (db: AppDb) =>
  db.selectFrom('media').where(
    sql<boolean>`forms = 'owed' and original_id is null and deleted_at is null
      and kind <> 'audio' and purpose not like 'kyc-%'`,
  )

/** `dueInMs` is null where none is left but those of lost files, which a sweep has looked at again. */
async function owedBy({ db, now }: Deps): Promise<{ left: number; dueInMs: number | null }> {
  const { left, soonest } = await owing(db)
    .select(({ fn }) => [
      fn.countAll<number>().as('left'),
      fn
        .min<Date | null>(fn.coalesce('forms_due_at', 'created_at'))
        .filterWhere(({ eb, or }) => or([eb('forms_tries', '>=', 0), eb('forms_due_at', '<=', now())]))
        .as('soonest'),
    ])
    .executeTakeFirstOrThrow()
  return { left, dueInMs: soonest && soonest.getTime() - now().getTime() }
}

/** Two queries, since the index has pictures by their age. */
async function nextOwing({ db, now }: Deps): Promise<MediaRow | undefined> {
  const all = owing(db).selectAll().limit(1)
  const untried = all.where('forms_due_at', 'is', null).orderBy('created_at', 'desc')
  const again = all.where('forms_due_at', '<=', now()).orderBy('forms_due_at').orderBy('created_at', 'desc')
  return (await untried.executeTakeFirst()) ?? again.executeTakeFirst()
}

/** Null where none is due; `busy` where there is no place to do it, or it was stopped. */
async function deriveNext(deps: Deps, signal?: AbortSignal): Promise<Tried | 'busy' | null> {
  const upload = await nextOwing(deps)
  if (!upload) return null
  try {
    const { db } = deps
    const derived = await db.selectFrom('media').selectAll().where('original_id', '=', upload.id).execute()
    const there = await formRowsOf(db, [upload.id, ...derived.map(({ id }) => id)]).execute()
    const { forms, but } = await makeLacking(deps, { upload, derived, there }, signal)
    await keepForms(deps, upload.id, forms, but === undefined)
    if (but === 'busy') return 'busy'
    if (but === 'crash') throw new WorkerCrashed('the process that made the forms has ended')
    return but === 'failed' ? noteFailure(deps, upload) : 'made'
  } catch (error) {
    return signal?.aborted ? 'busy' : postpone(deps, upload, error)
  }
}

const isNoFile = (error: unknown) => (error as { code?: unknown } | null)?.code === 'ENOENT'

async function postpone(deps: Deps, { id, forms_tries }: MediaRow, error: unknown): Promise<Postponed> {
  const isLost = isNoFile(error)
  const losses = isLost ? Math.max(0, -forms_tries) + 1 : 0
  const waitMs = isLost ? Math.min(LOST_MS.first * 2 ** (losses - 1), LOST_MS.last) : POSTPONED_MS
  const due = new Date(deps.now().getTime() + waitMs)
  const row = { forms_due_at: due, ...(isLost && { forms_tries: -losses }) }
  await deps.db.updateTable('media').set(row).where('id', '=', id).execute()
  return { error, isLost }
}

async function noteFailure({ db, now }: Deps, { id, forms_tries }: MediaRow): Promise<Tried> {
  const tries = Math.max(0, forms_tries) + 1
  const isLast = tries >= FORMS_TRIES
  const due = new Date(now().getTime() + AGAIN_MS * 2 ** tries)
  await db
    .updateTable('media')
    .set({ forms_tries: tries, forms_due_at: due, ...(isLast && { forms: 'given-up' as const }) })
    .where('id', '=', id)
    .execute()
  return isLast ? 'given-up' : 'failed'
}
