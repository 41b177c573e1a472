import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely'

type CredentialTable = {
  member: string
  email_key: string
  password_hash: string | null
  password_set_at: Date | null
  created_at: Date
  google_key: string | null
}
type SessionTable = {
  id: string
  token_hash: Buffer
  member: string
  remember: boolean
  label: string
  created_at: Date
  last_seen_at: Date
  auth_at: Date
}
type SecondFactorTable = {
  member: string
  secret: string
  last_step: number
  started_at: Date
  confirmed_at: Date | null
}
type RecoveryCodeTable = { member: string; code_hash: Buffer }
/** `since`: when the second factor was turned on that the link undoes. */
type UndoLinkTable = { link_hash: Buffer; member: string; since: Date; expires_at: Date }
type SignInChallengeTable = {
  token_hash: Buffer
  member: string
  password_hash: string | null
  remember: boolean
  tries: Generated<number>
  expires_at: Date
}
type AddressTable = { email_key: string; id: string }
type KnownDeviceTable = { email_key: string; device_hash: Buffer; seen_at: Date }
type CodeTable = {
  purpose: string
  email_key: string
  salt: Buffer
  code_hash: Buffer
  link_hash: Buffer
  tries: Generated<number>
  issued_at: Date
  expires_at: Date
}
type CodeFailureTable = { email_key: string; failures: number; last_at: Date }
type SignupProofTable = {
  id: string
  token_hash: Buffer
  email_key: string
  email: Buffer
  draft: Buffer | null
  created_at: Date
  expires_at: Date
  completed_at: Date | null
  held_by: string | null
  held_until: Date | null
  google_key: string | null
  refused: Generated<boolean>
}
type TurnedAwayTable = { email_key: string; expires_at: Date }
type KeptBlockTable = { email_key: string; member: string; expires_at: Date }
type MetTable = { key: string; item: string; met_at: Date }
type RateTable = { key: string; points: number; expire: number | null }
type LoginGuardTable = {
  key: string
  window_started_at: Date
  in_window: number
  in_a_row: number
  waits: number
  next_at: Date
}
type MailboxTable = { id: Generated<number>; to: string; subject: string; text: string; html: string; at: Date }
type MediaTable = {
  id: string
  owner: string | null
  proof: string | null
  purpose: string
  kind: string
  mime: string
  width: number | null
  height: number | null
  seconds: number | null
  bytes: number
  placeholder: string | null
  blurred_id: string | null
  poster_id: string | null
  original_id: string | null
  created_at: Date
  attached_at: Date | null
  deleted_at: Date | null
  forms: Generated<'owed' | 'made' | 'given-up'>
  /** Below zero: so often its file was lost. */
  forms_tries: Generated<number>
  forms_due_at: Generated<Date | null>
}
export type MediaRow = Selectable<MediaTable>
/** As it is written: which forms it owes is the default. */
export type NewMediaRow = Omit<MediaRow, 'forms' | 'forms_tries' | 'forms_due_at'>
type MediaFormTable = { file: string; media: string; side: number; mime: string; bytes: number }
export type MediaFormRow = Selectable<MediaFormTable>
type SpentTicketTable = { hash: Buffer; expires_at: Date }
type RemovedMediaTable = { id: string; owner: string; removed_at: Date }
type PositionTable = {
  member: string
  cell_row: number
  cell_col: number
  lat: number
  lng: number
  sealed: Buffer | null
  accepted_at: Date
  previous_at: Date | null
  expires_at: Date | null
  arrives_at: Date | null
  next_row: number | null
  next_col: number | null
  next_lat: number | null
  next_lng: number | null
  next_at: Date | null
  next_from: Date | null
}
export type IdempotentAnswerTable = {
  id: Buffer
  member: string
  request_hash: Buffer
  sealed: Buffer | null
  created_at: Date
  epoch: string | null
}
type DataExportTable = {
  id: string
  member: string
  state: string
  asked_at: Date
  done: Generated<number>
  total: Generated<number>
  tries: Generated<number>
  due_at: Date
  bytes: number | null
  ready_at: Date | null
  expires_at: Date | null
  mail_owed: Generated<boolean>
}
type SubjectKeyTable = { subject: string; wrapped: Buffer; created_at: Generated<Date> }
type RestoreNoticeTable = {
  member: string
  backup_at: Date
  restored_at: Date
  tries: Generated<number>
  due_at: Generated<Date>
}
type OwedCommandTable = {
  id: string
  member: string
  what: ColumnType<{ type: string }, string, never>
  at: Date
  tries: Generated<number>
  due_at: Date
  number: GeneratedAlways<string>
  refused: Generated<number>
  given_up: Generated<boolean>
}
type DestroyedKeyTable = { subject: string; destroyed_at: Date; settled_at: Date | null }

/** Schema `app`: what cannot be rebuilt from the log. `migrations/` makes it. */
export type AppSchema = {
  credential: CredentialTable
  session: SessionTable
  second_factor: SecondFactorTable
  recovery_code: RecoveryCodeTable
  undo_link: UndoLinkTable
  sign_in_challenge: SignInChallengeTable
  address: AddressTable
  known_device: KnownDeviceTable
  code: CodeTable
  code_failure: CodeFailureTable
  signup_proof: SignupProofTable
  refused_minor: TurnedAwayTable
  barred_address: TurnedAwayTable
  kept_block: KeptBlockTable
  rate: RateTable
  met: MetTable
  login_guard: LoginGuardTable
  mailbox: MailboxTable
  media: MediaTable
  media_form: MediaFormTable
  removed_media: RemovedMediaTable
  spent_ticket: SpentTicketTable
  position: PositionTable
  idempotent_answer: IdempotentAnswerTable
  data_export: DataExportTable
  subject_key: SubjectKeyTable
  destroyed_key: DestroyedKeyTable
  restore_notice: RestoreNoticeTable
  owed_command: OwedCommandTable
}
