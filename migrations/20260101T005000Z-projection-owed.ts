import { type Kysely, sql } from 'kysely'

/** Changes of very many rows by an erasure that a read model has noted, and makes piece by piece, the first one first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.projection_owed (
    name text not null,
    version integer not null,
    generation integer not null,
    number bigint generated always as identity,
    rows_of text not null,
    change jsonb not null,
    primary key (name, version, generation, number),
    foreign key (name, version, generation) references app.projection_target on delete cascade
  )`.execute(db)
  await sql`alter table app.projection_owed alter column change set statistics 0`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`do $$ begin
    if exists (select from app.projection_owed) then
      raise exception 'An erasure is under way. Let the product end it first.';
    end if;
  end $$`.execute(db)
  await sql`drop table app.projection_owed`.execute(db)
}
