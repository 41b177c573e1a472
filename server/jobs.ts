import type pg from 'pg'
import { allProjections } from '../projections/all-projections.ts'
import { dropUnfollowed } from '../projections/engine/care/unfollowed-tables.ts'
import { dropUnknown } from '../projections/engine/care/unknown-tables.ts'
import { onOwnConnection } from '../projections/engine/transaction.ts'
import { sweepEffects } from '../reactors/effects.ts'
import type { Reactors } from '../reactors/run.ts'
import { type OwedWorkDeps, sendDue } from '../reactors/send-owed.ts'
import { createJobWorker, type JobWorker } from '../reactors/work-jobs.ts'
import { freeKilled } from '../services/jobs/killed.ts'
import { JOBS, type JobKind } from '../services/jobs/kinds.ts'
import { takeUp } from '../services/jobs/take-up.ts'
import { errorFields, type Logger } from '../services/log.ts'
import type { DerivedRound } from '../services/media/derive.ts'
import { type Sweepable, sweepAll, sweepableOf } from '../services/sweep.ts'
import type { ErasureParts } from './tools/erasure/erasing.ts'
import { createEvidenceSweep } from './tools/erasure/evidence.ts'
import { createAddressSweep } from './tools/erasure/free.ts'
import { createReclaiming } from './tools/erasure/reclaim.ts'
import { createUnfinishedSweep } from './tools/erasure/unfinished.ts'
import { createUnusedSweep } from './tools/erasure/unused.ts'
import { createExporter, type ExporterDeps } from './tools/export/exporter.ts'

export type JobsDeps = ErasureParts & {
  readonly exporter: ExporterDeps
  readonly reactors: Pick<Reactors, 'perform' | 'mails'>
  /** Whether members' rows are of the log of now (decision 0053). */
  readonly showsLog: () => boolean
  readonly logger: Logger
} & JobTimes

/** Tests lower how late a job may come that waited, and have nothing recur: what they set up by halves would be swept. */
export type JobTimes = { readonly pollMs?: number; readonly recurs?: boolean }

const LONG_KINDS: readonly JobKind[] = ['export', 'derive', 'sweep']

/**
 * A copy takes minutes, a round of forms half a minute, a sweep as long as there are files; and a mail, of whichever reactor, as long
 * as its server keeps silent.
 */
export const longBy =
  ({ mails }: Pick<Reactors, 'mails'>) =>
  (kind: JobKind, { reactor }: Readonly<Record<string, string>>): string | null => {
    if (kind === 'react' && reactor) return mails(reactor) ? 'mail' : null
    return LONG_KINDS.includes(kind) ? kind : null
  }

/** What reads members' rows comes again so much later where they are of a log that was set back. */
const SHOWN_SOON_MS = 1_000

const RECURRING = { sweep: '*/10 * * * *', 'free-killed': '* * * * *' } as const

/** What happens later, by one of all processes with the reactors. */
export function createJobs(deps: JobsDeps): JobWorker {
  const { core, services, exporter, reactors, showsLog, logger, pollMs, recurs = true } = deps
  const { pool } = core.storage
  const sweeps = sweepsOf(deps)
  const workOnExport = createExporter(exporter)
  const owing: OwedWorkDeps = { dispatch: core.dispatch, owed: services.owed, logger }
  return createJobWorker({
    database: core.database,
    kinds: JOBS,
    logger,
    begin: takeUp,
    ...(pollMs !== undefined && { pollMs }),
    recurring: recurs ? RECURRING : {},
    long: longBy(reactors),
    handlers: {
      async sweep(_, signal) {
        await sweepAll(sweeps, logger, signal)
        return null
      },
      async 'free-killed'() {
        await onOwnConnection(pool, freeKilled)
        return null
      },
      export: async ({ export: id }, signal) => (showsLog() ? workOnExport(id, signal) : SHOWN_SOON_MS),
      'send-owed': ({ command }, signal) => sendDue(owing, command, signal),
      react: async ({ reactor }, signal) => (showsLog() ? reactors.perform(reactor, signal) : SHOWN_SOON_MS),
      derive: (_, signal) => services.media.deriveForms({ signal, report: formsLog(logger) }),
    },
  })
}

/** How far it is, for an operator; of which pictures is nobody's concern. */
const formsLog =
  (logger: Logger) =>
  ({ made, failed, givenUp, postponed, left, error }: DerivedRound): void => {
    if (made > 0) logger.info('Smaller forms of pictures were made.', { kind: 'media-forms', count: made, left })
    if (failed > 0) logger.warn('Smaller forms of pictures failed.', { kind: 'media-forms', count: failed, left })
    if (postponed > 0) {
      const fields = { kind: 'media-forms', count: postponed, left, ...errorFields(error) }
      logger.warn('Smaller forms of pictures are postponed.', fields)
    }
    if (givenUp > 0) logger.error('Smaller forms of pictures are given up.', { kind: 'media-forms', count: givenUp })
  }

async function sweepTables(pool: pg.Pool): Promise<number> {
  const unknown = await dropUnknown(pool, allProjections, 'old')
  return unknown.length + (await dropUnfollowed(pool, 'old')).schemas.length
}

function sweepsOf(parts: JobsDeps): Record<string, Sweepable> {
  const { core, services, now, logger } = parts
  const { pool } = core.storage
  return {
    ...sweepableOf(services),
    evidence: createEvidenceSweep({ core, erasure: services.erasure, now }),
    unfinished: createUnfinishedSweep(parts),
    unused: createUnusedSweep(parts),
    addresses: createAddressSweep(parts),
    unfollowed: { sweep: () => sweepTables(pool) },
    effects: { sweep: () => onOwnConnection(pool, sweepEffects) },
    left: { sweep: () => onOwnConnection(pool, takeUp) },
    reclaiming: createReclaiming({ pool, now, logger }),
  }
}
