import type { Destination } from './destination.ts'

type Columns = Readonly<Record<string, Destination>>
const into = (path: string, ...names: string[]): Columns =>
  Object.fromEntries(names.map((name) => [name, { in: path }]))
const out = (why: string, ...names: string[]): Columns => Object.fromEntries(names.map((name) => [name, { not: why }]))

const SECRET = 'Hashes and keys that guard the account: whoever holds the copy could use them.'
const INNER = 'Numbers that the product works with and that say nothing more about anybody.'
const CODES = 'Codes and proofs on their way by mail, gone after minutes, as hashes.'
const LINKS = 'Links on their way by mail that undo 2-step verification, gone after seven days, as hashes.'
const COUNTERS = 'Counters against abuse, gone after hours or days, by hashes and ids.'
const LEFT = 'Whom you blocked and who left since, by a keyed hash of their address; history.json tells of the block.'
const VISITORS = 'Hashes of addresses that may not register: nobody’s account.'
const DERIVED = 'Made from the originals, which are in media/.'
const REMOVED = 'Ids of files you removed, kept for reports; nothing of what was on them is left.'
const ANSWERS = 'Sealed answers for calls that repeat, gone within a day; what they tell is in the other files.'
const MAILBOX = 'Stands in for the member’s own mailbox while no mail server is set up.'
const NOTICES = 'That a mail about a restore is still to be sent.'
const OWED =
  'What happened to the account and is on its way into the log, which events.json shows; gone once it is there.'
const FOLDED = 'Made from what happened, which events.json shows, so that long conversations open fast.'
const MACHINE = 'How far the machinery is; it names events and streams, no content.'

/** Every column of every table beside the log. `*`: whatever columns it has. */
export const APP_TABLES: Readonly<Record<string, Columns>> = {
  credential: {
    ...into('account.json', 'member', 'password_set_at', 'created_at'),
    ...out(SECRET, 'email_key', 'password_hash', 'google_key'),
  },
  session: {
    ...into('sessions.json', 'id', 'remember', 'label', 'created_at', 'last_seen_at', 'auth_at'),
    ...into('account.json', 'member'),
    ...out(SECRET, 'token_hash'),
  },
  second_factor: {
    ...into('account.json', 'member', 'confirmed_at'),
    ...out(SECRET, 'secret', 'last_step'),
    ...out(INNER, 'started_at'),
  },
  recovery_code: out(SECRET, '*'),
  undo_link: out(LINKS, '*'),
  sign_in_challenge: out(CODES, '*'),
  address: out(SECRET, '*'),
  known_device: { ...into('sessions.json', 'seen_at'), ...out(SECRET, 'email_key', 'device_hash') },
  position: {
    ...into('location.json', 'lat', 'lng', 'sealed', 'accepted_at', 'expires_at', 'previous_at'),
    ...into('account.json', 'member'),
    ...out(INNER, 'cell_row', 'cell_col', 'arrives_at'),
    ...out(INNER, 'next_row', 'next_col', 'next_lat', 'next_lng', 'next_at', 'next_from'),
  },
  media: {
    ...into('media.json', 'id', 'purpose', 'kind', 'mime', 'width', 'height', 'seconds', 'bytes', 'created_at'),
    ...into('account.json', 'owner'),
    ...out(INNER, 'attached_at', 'deleted_at', 'proof', 'forms', 'forms_tries', 'forms_due_at'),
    ...out(DERIVED, 'placeholder', 'blurred_id', 'poster_id', 'original_id'),
  },
  media_form: out(DERIVED, '*'),
  removed_media: out(REMOVED, '*'),
  data_export: {
    ...into('account.json', 'member'),
    ...into('exports.json', 'id', 'state', 'asked_at', 'ready_at', 'expires_at'),
    ...out(INNER, 'done', 'total', 'tries', 'due_at', 'bytes', 'mail_owed'),
  },
  code: out(CODES, '*'),
  code_failure: out(CODES, '*'),
  signup_proof: out(CODES, '*'),
  refused_minor: out(VISITORS, '*'),
  barred_address: out(VISITORS, '*'),
  kept_block: out(LEFT, '*'),
  rate: out(COUNTERS, '*'),
  met: out(COUNTERS, '*'),
  spent_ticket: out(COUNTERS, '*'),
  login_guard: out(COUNTERS, '*'),
  idempotent_answer: out(ANSWERS, '*'),
  mailbox: out(MAILBOX, '*'),
  subject_key: out(SECRET, '*'),
  destroyed_key: out(SECRET, '*'),
  master_key: out(MACHINE, '*'),
  kept_key: out(SECRET, '*'),
  reclaimed: out(MACHINE, '*'),
  restore_notice: out(NOTICES, '*'),
  owed_command: out(OWED, '*'),
  snapshot: out(FOLDED, '*'),
  chain_segment: out(MACHINE, '*'),
  chain_day: out(MACHINE, '*'),
  projection: out(MACHINE, '*'),
  projection_target: out(MACHINE, '*'),
  projection_checkpoint: out(MACHINE, '*'),
  projection_owed: out(MACHINE, '*'),
  projection_swap: out(MACHINE, '*'),
  projection_lease: out(MACHINE, '*'),
  projection_pause: out(MACHINE, '*'),
  projection_seen: out(MACHINE, '*'),
  projector: out(MACHINE, '*'),
  set_back: out(MACHINE, '*'),
  quarantine: out(MACHINE, '*'),
  reactor: out(MACHINE, '*'),
  reactor_effect: out(MACHINE, '*'),
  kysely_migration: out(MACHINE, '*'),
  kysely_migration_lock: out(MACHINE, '*'),
}
