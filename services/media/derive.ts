import { sql } from 'kysely'
import { minutes } from '../../domain/shared/dates.ts'
import type { AppDb } from '../app-db.ts'
import type { MediaRow } from '../app-schema.ts'
import type { Clock } from '../clock.ts'
import { formRowsOf, type ProcessedForm } from './forms.ts'
import { makeLacking } from './lacking-forms.ts'
import type { MediaStore } from './store.ts'
import type { MediaWorkers } from './workers/workers.ts'

/** What one round did, without anybody's ids. `left`: pictures that owe forms still; `givenUp`: of `failed`, for good. */
export type DerivedRound = {
  readonly made: number
  readonly failed: number
  readonly givenUp: number
  readonly left: number
}
type Options = { readonly signal?: AbortSignal; readonly report?: (round: DerivedRound) => void }

export type MediaDeriving = {
  /**
   * Makes the forms that some pictures owe, newest first. Answers in how many milliseconds to come again, or null when none is
   * owed. What fails is tried again a few times, and never keeps a picture from being shown.
   */
  deriveForms(options?: Options): Promise<number | null>
}

/** So few that a stop waits for seconds at most. */
const ROUND = 10
/** Between rounds: pages and uploads share the cores. */
const REST_MS = 2_000
const BUSY_MS = 15_000
export const FORMS_TRIES = 5
const AGAIN_MS = minutes(2)

type Deps = { db: AppDb; now: Clock; store: MediaStore; workers: MediaWorkers }
type Tried = 'made' | 'failed' | 'given-up'

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
      }
      const { left, dueInMs } = await owedBy(deps)
      const count = (what: Tried) => tried.filter((one) => one === what).length
      const givenUp = count('given-up')
      if (tried.length > 0) report?.({ made: count('made'), failed: count('failed') + givenUp, givenUp, left })
      return left === 0 ? null : Math.max(rest, dueInMs)
    },
  }
}

/** Written out, as the index has it. */
const owing = (db: AppDb) =>
  db.selectFrom('media').where(
    sql<boolean>`forms = 'owed' and original_id is null and deleted_at is null
      and kind <> 'audio' and purpose not like 'kyc-%'`,
  )

async function owedBy({ db, now }: Deps): Promise<{ left: number; dueInMs: number }> {
  const { left, soonest } = await owing(db)
    .select(({ fn }) => [
      fn.countAll<number>().as('left'),
      fn.min<Date | null>(fn.coalesce('forms_due_at', 'created_at')).as('soonest'),
    ])
    .executeTakeFirstOrThrow()
  return { left, dueInMs: soonest ? soonest.getTime() - now().getTime() : 0 }
}

/** Null where none is due; `busy` where there is no place to do it, or it was stopped. */
async function deriveNext(deps: Deps, signal?: AbortSignal): Promise<Tried | 'busy' | null> {
  const upload = await owing(deps.db)
    .selectAll()
    .where(({ eb, or }) => or([eb('forms_due_at', 'is', null), eb('forms_due_at', '<=', deps.now())]))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!upload) return null
  try {
    const { db } = deps
    const derived = await db.selectFrom('media').selectAll().where('original_id', '=', upload.id).execute()
    const there = await formRowsOf(db, [upload.id, ...derived.map(({ id }) => id)]).execute()
    const made = await makeLacking(deps, { upload, derived, there })
    if (made === 'busy') return 'busy'
    await keep(deps, upload, made)
    return 'made'
  } catch {
    // What a stop ended is no fault of the picture.
    return signal?.aborted ? 'busy' : noteFailure(deps, upload)
  }
}

async function noteFailure({ db, now }: Deps, { id, forms_tries }: MediaRow): Promise<Tried> {
  const tries = forms_tries + 1
  const isLast = tries >= FORMS_TRIES
  const due = new Date(now().getTime() + AGAIN_MS * 2 ** tries)
  await db
    .updateTable('media')
    .set({ forms_tries: tries, forms_due_at: due, ...(isLast && { forms: 'given-up' as const }) })
    .where('id', '=', id)
    .execute()
  return isLast ? 'given-up' : 'failed'
}

/** Files before rows, as of uploads. None is left of a picture that was removed meanwhile: whoever removes it locks it too. */
async function keep({ db, store }: Deps, { id }: MediaRow, forms: readonly ProcessedForm[]): Promise<void> {
  const kept = new Set<string>()
  try {
    await Promise.all(forms.map(({ row, content }) => store.write(row.file, content)))
    const added = await db.transaction().execute(async (tx) => {
      const upload = tx.selectFrom('media').select('id').where('id', '=', id).where('deleted_at', 'is', null)
      if (!(await upload.forUpdate().executeTakeFirst())) return []
      await tx.updateTable('media').set({ forms: 'made' }).where('id', '=', id).execute()
      if (forms.length === 0) return []
      const insert = tx.insertInto('media_form').values(forms.map(({ row }) => row))
      return insert
        .onConflict((conflict) => conflict.doNothing())
        .returning('file')
        .execute()
    })
    for (const { file } of added) kept.add(file)
  } finally {
    await Promise.all(forms.filter(({ row }) => !kept.has(row.file)).map(({ row }) => store.remove(row.file)))
  }
}
