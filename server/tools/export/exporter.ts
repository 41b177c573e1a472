import { sql } from 'kysely'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { TooNewEvent } from '../../../eventstore/codec.ts'
import type { Clock } from '../../../services/clock.ts'
import { type ExportJob, type ExportWork, isLastTry } from '../../../services/export/work.ts'
import { errorFields, type Logger } from '../../../services/log.ts'
import { exportReadyMail } from '../../../services/mails.ts'
import type { Services } from '../../../usecases/ports.ts'
import type { Core } from '../../core.ts'
import { archiveOf } from './archive.ts'
import type { Sources } from './section.ts'

export type ExporterDeps = {
  readonly core: Pick<Core, 'log' | 'codec' | 'storage'>
  readonly services: Pick<Services, 'sessions' | 'positions' | 'media' | 'mailer' | 'limits'>
  readonly work: ExportWork
  readonly publicUrl: string
  readonly now: Clock
  readonly logger: Logger
}

/** Progress is written no more often than this. */
const PROGRESS_EVERY_MS = 250
/** A job shows that it lives this often, also within one long file. */
const ALIVE_EVERY_MS = 15_000
/** Where there is no read model of reports yet, which no start waits for, a copy without them would not be whole. */
const FILLED_SOON_MS = 5_000
/** What a later release wrote waits for a process of that release, which a deploy brings. */
const LATER_RELEASE_MS = 30_000

/** Its member was erased while it was prepared, or another process has it. */
class ExportGone extends Error {
  override name = 'ExportGone'
}

/**
 * Prepares the export of an id, where it is due, and mails its member that it is ready. Answers in how many milliseconds
 * there is more to do.
 */
export function createExporter(deps: ExporterDeps): (id: string, signal: AbortSignal) => Promise<number | null> {
  const { work, logger } = deps
  /** Each is logged once, however many others are made meanwhile. */
  const waiting = new Set<string>()
  return async (id, signal) => {
    if (!(await hasReports(deps))) return FILLED_SOON_MS
    const taken = await work.take(id)
    if (taken) {
      const tooNew = await prepare(deps, taken, signal)
      if (tooNew) {
        if (!waiting.has(id))
          logger.warn('An export waits for a later release.', { kind: 'export', ...errorFields(tooNew) })
        waiting.add(id)
        return LATER_RELEASE_MS
      }
      waiting.delete(id)
    }
    const owed = await work.takeMail(id)
    if (owed) await sendReadyMail(deps, owed)
    return work.waits(id)
  }
}

async function hasReports({ core }: ExporterDeps): Promise<boolean> {
  const asked = sql<{ there: boolean }>`select to_regclass('read.report') is not null as there`
  return (await asked.execute(core.storage.read)).rows[0]?.there === true
}

/** Answers what only a later release reads, where it met that. */
async function prepare(deps: ExporterDeps, taken: ExportJob, stopping: AbortSignal): Promise<TooNewEvent | undefined> {
  const { work, services, logger } = deps
  const ending = new AbortController()
  const signal = AbortSignal.any([stopping, ending.signal])
  const progress = progressWriter(deps, taken, () => ending.abort(new ExportGone()))
  try {
    const archive = archiveOf({ ...sourcesOf(deps), member: taken.member, signal }, deps.now(), progress.write)
    // Where nobody takes the bytes any more, nothing more is made.
    const stored = work.store(taken, archive.stream, signal).finally(() => ending.abort(new ExportGone()))
    const [, written] = await Promise.allSettled([archive.done, stored])
    if (written.status === 'rejected') throw written.reason
  } catch (error) {
    const tooNew = error instanceof TooNewEvent ? error : undefined
    if (tooNew || stopping.aborted) {
      await work.release(taken)
      return tooNew
    }
    logger.warn('An export failed.', { kind: 'export', count: taken.tries, ...errorFields(error) })
    // First the day's one export is given back: whoever sees that it failed may ask again.
    if (isLastTry(taken)) await services.limits.giveBack('EXPORT', taken.member)
    await work.failed(taken)
  } finally {
    progress.end()
  }
}

/** Writes progress now and then; `onGone` when there is nothing left to prepare. */
function progressWriter({ work }: ExporterDeps, taken: ExportJob, onGone: () => void) {
  let last = { done: 0, total: 0, at: Number.NEGATIVE_INFINITY }
  const store = async () => {
    if (!(await work.progress(taken, last.done, last.total))) onGone()
  }
  const timer = setInterval(() => void store().catch(() => undefined), ALIVE_EVERY_MS)
  return {
    async write(done: number, total: number) {
      const due = performance.now() - last.at >= PROGRESS_EVERY_MS
      last = { done, total, at: due ? performance.now() : last.at }
      if (due || done === total) await store()
    },
    end: () => clearInterval(timer),
  }
}

function sourcesOf({ core, services }: ExporterDeps): Sources {
  const { log, codec, storage } = core
  const { sessions, positions, media } = services
  return { log, codec, read: storage.read, app: storage.app, sessions, positions, media }
}

/** The mail is owed until it was handed over; a member who is gone gets none. */
async function sendReadyMail(
  { core, services, work, publicUrl }: ExporterDeps,
  owed: { id: string; member: MemberId },
) {
  const { storage } = core
  const profile = await storage.read
    .selectFrom('profile')
    .select('email')
    .where('member', '=', owed.member)
    .executeTakeFirst()
  if (profile?.email)
    await services.mailer.send({ to: profile.email, ...exportReadyMail({ pageUrl: `${publicUrl}/settings/export` }) })
  await work.mailed(owed.id)
}
