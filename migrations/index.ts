import { type Kysely, type Migration, type MigrationProvider, Migrator, sql } from 'kysely'
import * as schemas from './20260101T000000Z-schemas.ts'
import * as keys from './20260101T000100Z-keys.ts'
import * as signIn from './20260101T000200Z-sign-in.ts'
import * as signUp from './20260101T000300Z-sign-up.ts'
import * as limits from './20260101T000400Z-limits.ts'
import * as mail from './20260101T000500Z-mail.ts'
import * as media from './20260101T000600Z-media.ts'
import * as positions from './20260101T000700Z-positions.ts'
import * as mediaBlur from './20260101T000800Z-media-blur.ts'
import * as projections from './20260101T001000Z-projections.ts'
import * as reactors from './20260101T001100Z-reactors.ts'
import * as idempotency from './20260101T001200Z-idempotency.ts'
import * as met from './20260101T001300Z-met.ts'
import * as minors from './20260101T001400Z-minors.ts'
import * as proofHold from './20260101T001500Z-proof-hold.ts'
import * as chain from './20260101T001600Z-chain.ts'
import * as barred from './20260101T001700Z-barred.ts'
import * as projectionCare from './20260101T001800Z-projection-care.ts'
import * as exports from './20260101T002000Z-exports.ts'
import * as afterErasure from './20260101T002100Z-after-erasure.ts'
import * as unsampledMail from './20260101T002200Z-unsampled-mail.ts'
import * as google from './20260101T002300Z-google.ts'
import * as meet from './20260101T002400Z-meet.ts'
import * as refusedProof from './20260101T002500Z-refused-proof.ts'
import * as removedMedia from './20260101T002600Z-removed-media.ts'
import * as spentTicket from './20260101T002700Z-spent-ticket.ts'
import * as travel from './20260101T002800Z-travel.ts'
import * as keptMedia from './20260101T002900Z-kept-media.ts'
import * as restoreNotice from './20260101T003000Z-restore-notice.ts'
import * as keyedRequests from './20260101T003100Z-keyed-requests.ts'
import * as nextCell from './20260101T003200Z-next-cell.ts'
import * as secondFactor from './20260101T003300Z-second-factor.ts'
import * as masterKeys from './20260101T003400Z-master-keys.ts'
import * as reclaimed from './20260101T003500Z-reclaimed.ts'
import * as nextCellFrom from './20260101T003600Z-next-cell-from.ts'
import * as address from './20260101T003700Z-address.ts'
import * as owedCommand from './20260101T003800Z-owed-command.ts'
import * as undoLink from './20260101T004000Z-undo-link.ts'
import * as unsampled from './20260101T004100Z-unsampled.ts'
import * as owedInOrder from './20260101T004200Z-owed-in-order.ts'
import * as reactorLog from './20260101T004300Z-reactor-log.ts'
import * as noParts from './20260101T004400Z-no-parts.ts'
import * as quarantineKey from './20260101T004500Z-quarantine-key.ts'
import * as snapshot from './20260101T004600Z-snapshot.ts'
import * as projectionLeases from './20260101T004700Z-projection-leases.ts'
import * as projectionClock from './20260101T004800Z-projection-clock.ts'
import * as jobs from './20260101T004900Z-jobs.ts'
import * as projectionCheckpoints from './20260101T004900Z-projection-checkpoints.ts'
import * as projectionOwed from './20260101T005000Z-projection-owed.ts'
import * as owedFirst from './20260101T005100Z-owed-first.ts'
import * as mediaForms from './20260101T005200Z-media-forms.ts'
import * as projectorFills from './20260101T005300Z-projector-fills.ts'
import * as quarantineIndex from './20260101T005400Z-quarantine-index.ts'
import * as quarantinePosition from './20260101T005500Z-quarantine-position.ts'
import * as projectionAnchor from './20260101T005600Z-projection-anchor.ts'
import * as newestCheckpoint from './20260101T005700Z-newest-checkpoint.ts'
import * as projectorHas from './20260101T005800Z-projector-has.ts'
import * as setBack from './20260101T005900Z-set-back.ts'
import * as setBackOfTargets from './20260101T006000Z-set-back-of-targets.ts'
import * as epochOfAnswers from './20260101T006100Z-epoch-of-answers.ts'
import * as deviceIndex from './20260101T006200Z-device-index.ts'

/** In the order of their names; a file that is here never changes (docs/how-to/add-a-migration.md). */
const migrations: Record<string, Migration> = {
  '20260101T000000Z-schemas': schemas,
  '20260101T000100Z-keys': keys,
  '20260101T000200Z-sign-in': signIn,
  '20260101T000300Z-sign-up': signUp,
  '20260101T000400Z-limits': limits,
  '20260101T000500Z-mail': mail,
  '20260101T000600Z-media': media,
  '20260101T000700Z-positions': positions,
  '20260101T000800Z-media-blur': mediaBlur,
  '20260101T001000Z-projections': projections,
  '20260101T001100Z-reactors': reactors,
  '20260101T001200Z-idempotency': idempotency,
  '20260101T001300Z-met': met,
  '20260101T001400Z-minors': minors,
  '20260101T001500Z-proof-hold': proofHold,
  '20260101T001600Z-chain': chain,
  '20260101T001700Z-barred': barred,
  '20260101T001800Z-projection-care': projectionCare,
  '20260101T002000Z-exports': exports,
  '20260101T002100Z-after-erasure': afterErasure,
  '20260101T002200Z-unsampled-mail': unsampledMail,
  '20260101T002300Z-google': google,
  '20260101T002400Z-meet': meet,
  '20260101T002500Z-refused-proof': refusedProof,
  '20260101T002600Z-removed-media': removedMedia,
  '20260101T002700Z-spent-ticket': spentTicket,
  '20260101T002800Z-travel': travel,
  '20260101T002900Z-kept-media': keptMedia,
  '20260101T003000Z-restore-notice': restoreNotice,
  '20260101T003100Z-keyed-requests': keyedRequests,
  '20260101T003200Z-next-cell': nextCell,
  '20260101T003300Z-second-factor': secondFactor,
  '20260101T003400Z-master-keys': masterKeys,
  '20260101T003500Z-reclaimed': reclaimed,
  '20260101T003600Z-next-cell-from': nextCellFrom,
  '20260101T003700Z-address': address,
  '20260101T003800Z-owed-command': owedCommand,
  '20260101T004000Z-undo-link': undoLink,
  '20260101T004100Z-unsampled': unsampled,
  '20260101T004200Z-owed-in-order': owedInOrder,
  '20260101T004300Z-reactor-log': reactorLog,
  '20260101T004400Z-no-parts': noParts,
  '20260101T004500Z-quarantine-key': quarantineKey,
  '20260101T004600Z-snapshot': snapshot,
  '20260101T004700Z-projection-leases': projectionLeases,
  '20260101T004800Z-projection-clock': projectionClock,
  '20260101T004900Z-jobs': jobs,
  '20260101T004900Z-projection-checkpoints': projectionCheckpoints,
  '20260101T005000Z-projection-owed': projectionOwed,
  '20260101T005100Z-owed-first': owedFirst,
  '20260101T005200Z-media-forms': mediaForms,
  '20260101T005300Z-projector-fills': projectorFills,
  '20260101T005400Z-quarantine-index': quarantineIndex,
  '20260101T005500Z-quarantine-position': quarantinePosition,
  '20260101T005600Z-projection-anchor': projectionAnchor,
  '20260101T005700Z-newest-checkpoint': newestCheckpoint,
  '20260101T005800Z-projector-has': projectorHas,
  '20260101T005900Z-set-back': setBack,
  '20260101T006000Z-set-back-of-targets': setBackOfTargets,
  '20260101T006100Z-epoch-of-answers': epochOfAnswers,
  '20260101T006200Z-device-index': deviceIndex,
}

/** A lock timeout, and a deadlock. */
const TAKEN: readonly string[] = ['55P03', '40P01']
const TRIES = 200
/** A starter whose machine is gone without a word gives its lock back within half a minute. */
const NOTICED = sql`select set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
  set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '30000', false)`

const provider: MigrationProvider = { getMigrations: async () => migrations }

/**
 * Brings schema `app` up to date; answers the names that ran. Each is a transaction of its own, so that one which waits for
 * its tables keeps none of those before it locked. Of two starters at once one waits for the other, before it looks: a column
 * that goes while tables are listed is an error.
 */
export async function migrateToLatest(db: Kysely<unknown>): Promise<string[]> {
  return db.connection().execute(async (alone) => {
    await NOTICED.execute(alone)
    await sql`select pg_advisory_lock(hashtext('migrations'))`.execute(alone)
    try {
      return (await isLatest(alone)) ? [] : await migrateAll(alone)
    } finally {
      await sql`select pg_advisory_unlock(hashtext('migrations'))`.execute(alone)
    }
  })
}

/** Nearly every start finds nothing to do; the library lists all tables and columns before it knows. */
async function isLatest(db: Kysely<unknown>): Promise<boolean> {
  const {
    rows: [known],
  } = await sql<{ isThere: boolean }>`
    select to_regclass('app.kysely_migration') is not null as "isThere"`.execute(db)
  if (!known?.isThere) return false
  const { rows } = await sql<{ name: string }>`select name from app.kysely_migration`.execute(db)
  const ran = new Set(rows.map(({ name }) => name))
  const names = Object.keys(migrations)
  return ran.size === names.length && names.every((name) => ran.has(name))
}

async function migrateAll(db: Kysely<unknown>): Promise<string[]> {
  const migrator = new Migrator({ db, provider, migrationTableSchema: 'app' })
  const ran: string[] = []
  await sql`set lock_timeout = '1500ms'`.execute(db)
  try {
    for (;;) {
      const names = await migrateOne(db, migrator)
      if (names.length === 0) return ran
      ran.push(...names)
    }
  } finally {
    await sql`reset lock_timeout`.execute(db)
  }
}

/** In tries: whoever waits for a table behind a long reader, such as a backup, keeps all others from it. */
async function migrateOne(db: Kysely<unknown>, migrator: Migrator): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    const { error, results = [] } = await migrator.migrateUp()
    if (!error) return results.map(({ migrationName }) => migrationName)
    if (!TAKEN.includes((error as { code?: string }).code ?? '')) throw error
    if (attempt === TRIES)
      throw new Error('The tables are in use. End what reads them for long, such as a backup, and start again.', {
        cause: error,
      })
    await sql`select pg_sleep(0.4)`.execute(db)
  }
}

/** Throws for what this version of the product does not know, as of a backup that a newer one made. */
export function requireKnown(name: string): void {
  if (!(name in migrations))
    throw new Error(`The backup is of a newer version of the product: ${name} is unknown here.`)
}

/** Brings an empty database to where another one stood when a backup of it was made. Throws for an unknown name. */
export async function migrateTo(db: Kysely<unknown>, name: string): Promise<void> {
  requireKnown(name)
  const { error } = await new Migrator({ db, provider, migrationTableSchema: 'app' }).migrateTo(name)
  if (error) throw error
}
