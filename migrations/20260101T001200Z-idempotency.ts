import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The id is a hash of member, call and key; the answer is sealed, and absent while the call runs.
  await sql`create table app.idempotent_answer (
    id bytea primary key,
    member text not null,
    request_hash bytea not null,
    sealed bytea,
    created_at timestamptz not null
  )`.execute(db)
  // Serves the sweep of answers past their day.
  await sql`create index idempotent_answer_created_at on app.idempotent_answer (created_at)`.execute(db)
  // Serves the erasure of a member.
  await sql`create index idempotent_answer_member on app.idempotent_answer (member)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.idempotent_answer`.execute(db)
}
