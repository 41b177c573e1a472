import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.media (
    id text primary key,
    owner text,
    proof text,
    purpose text not null,
    kind text not null,
    mime text not null,
    width integer,
    height integer,
    seconds double precision,
    bytes bigint not null,
    placeholder text,
    blurred_id text,
    poster_id text,
    original_id text references app.media (id) on delete cascade,
    created_at timestamptz not null,
    attached_at timestamptz,
    deleted_at timestamptz,
    check ((owner is null) <> (proof is null))
  )`.execute(db)
  // Serves the quota of a member and the removal of all their files.
  await sql`create index media_owner on app.media (owner) where owner is not null`.execute(db)
  // Serves the quota and the hand-over of a sign-up.
  await sql`create index media_proof on app.media (proof) where proof is not null`.execute(db)
  // Serves the removal of derivatives with their original.
  await sql`create index media_original on app.media (original_id) where original_id is not null`.execute(db)
  // Serves the sweep of uploads that nothing uses.
  await sql`create index media_orphan on app.media (created_at)
    where attached_at is null and original_id is null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.media`.execute(db)
}
