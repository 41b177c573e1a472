import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../support/fresh-database.ts'
import { appTemplate } from '../../support/templates/app.ts'

let database: FreshDatabase
let pool: pg.Pool
beforeAll(async () => {
  database = await freshDatabase({ template: appTemplate })
  pool = new pg.Pool(database.config)
  pool.on('error', () => undefined)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** Times and flags; what else Postgres may sample in schema `app` is named below, by what makes it harmless. */
const HARMLESS_TYPES = ['timestamp with time zone', 'boolean']
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  'random ids of members, which the log and the ledger of destroyed keys keep too': [
    ...['credential.member', 'data_export.member', 'destroyed_key.subject', 'idempotent_answer.member'],
    ...['kept_block.member', 'media.owner', 'met.item', 'met.key', 'owed_command.member', 'position.member'],
    ...['quarantine.key', 'recovery_code.member', 'removed_media.owner', 'restore_notice.member'],
    ...[
      'second_factor.member',
      'session.member',
      'sign_in_challenge.member',
      'subject_key.subject',
      'undo_link.member',
    ],
  ],
  'random ids that open nothing by themselves': [
    ...['address.id', 'data_export.id', 'mailbox.id', 'media.blurred_id', 'media.id', 'media.original_id'],
    ...['media_form.file', 'media_form.media'],
    ...['media.poster_id', 'media.proof', 'owed_command.id', 'removed_media.id', 'session.id'],
    ...['signup_proof.held_by', 'signup_proof.id', 'idempotent_answer.epoch'],
  ],
  'counts and sizes': [
    ...['code.tries', 'code_failure.failures', 'data_export.bytes', 'data_export.done', 'data_export.total'],
    ...['data_export.tries', 'login_guard.in_a_row', 'login_guard.in_window', 'login_guard.waits', 'media.bytes'],
    ...[
      'media.forms_tries',
      'media.height',
      'media.seconds',
      'media.width',
      'media_form.bytes',
      'media_form.side',
      'owed_command.number',
      'owed_command.refused',
      'owed_command.tries',
      'rate.expire',
      'rate.points',
    ],
    ...['restore_notice.tries', 'second_factor.last_step', 'sign_in_challenge.tries'],
  ],
  'names from a short list': [
    ...['code.purpose', 'data_export.state', 'kept_key.purpose', 'master_key.id', 'media.kind', 'media.mime'],
    ...['media.forms', 'media.purpose', 'media_form.mime', 'reclaimed.what'],
  ],
  'where processes are in the log, by ids of events and names of streams': [
    ...['projection_checkpoint.epoch', 'projection_checkpoint.events_per_second', 'projection_checkpoint.generation'],
    ...['projection_checkpoint.name', 'projection_checkpoint.position', 'projection_checkpoint.step'],
    ...['projection_checkpoint.version', 'projection_target.generation', 'projection_target.name'],
    ...[
      'projection_target.set_back',
      'projection_target.state',
      'projection_target.version',
      'projection_owed.generation',
      'projection_owed.name',
    ],
    ...['projection_owed.number', 'projection_owed.rows_of', 'projection_owed.version'],
    ...['projection_lease.name', 'projection_lease.process', 'projector.fills', 'projector.pid', 'projector.process'],
    ...['projector.wants', 'projector.has', 'projection_seen.name', 'set_back.id', 'set_back.log_id'],
    ...['projection_pause.name', 'quarantine.event_id', 'quarantine.generation'],
    ...['quarantine.name', 'quarantine.position', 'quarantine.revision', 'quarantine.stream', 'quarantine.type'],
    ...['quarantine.version', 'reactor.log_id', 'reactor.name', 'reactor.position', 'reactor_effect.event_id'],
    ...['reactor_effect.position', 'reactor_effect.reactor', 'reactor_effect.revision', 'reactor_effect.state'],
    ...['reactor_effect.stream', 'reactor_effect.tries', 'snapshot.anchor', 'snapshot.log_id', 'snapshot.revision'],
    ...['snapshot.stream', 'snapshot.version'],
  ],
  'hashes over the log as it is stored, sealed': [
    ...['chain_day.day', 'chain_day.events', 'chain_day.head', 'chain_day.last', 'chain_day.seq'],
    ...['chain_day.signature', 'chain_segment.after', 'chain_segment.content', 'chain_segment.day'],
    ...['chain_segment.events', 'chain_segment.head', 'chain_segment.last', 'chain_segment.listing'],
    ...['chain_segment.mac', 'chain_segment.packed', 'chain_segment.prev', 'chain_segment.seq'],
  ],
  'which migrations ran': [
    ...['kysely_migration.name', 'kysely_migration.timestamp', 'kysely_migration_lock.id'],
    'kysely_migration_lock.is_locked',
  ],
}

const SAMPLED = `
  select format('%s.%s', c.relname, a.attname) as name
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p', 'm') and a.attnum > 0 and not a.attisdropped
    and a.attstattarget is distinct from 0 and format_type(a.atttypid, null) <> all($1)`

test('Postgres samples no column of schema app but those whose values are harmless', async () => {
  const { rows } = await pool.query<{ name: string }>(SAMPLED, [HARMLESS_TYPES])
  // A new one that is not: `set statistics 0` in its migration (docs/how-to/add-a-migration.md).
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.values(HARMLESS).flat().sort())
})

test('no index samples an expression', async () => {
  const { rows } = await pool.query(
    `select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = 'app'::regnamespace and i.indexprs is not null`,
  )
  expect(rows).toEqual([])
})
