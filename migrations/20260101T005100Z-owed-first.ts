import { type Kysely, sql } from 'kysely'

/**
 * A process of the release before knows nothing of rows that an erasure has left to later, so it moves no read model that owes
 * some: its batch fails, it gives back the lease, and a process of this release pays. It goes with the view's other trigger.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create function app.require_unowed() returns trigger language plpgsql as $$
    begin
      if new.position <> old.position and exists (select from app.projection_owed o
          where (o.name, o.version, o.generation) = (old.name, old.version, old.generation)) then
        raise exception '% owes rows of an erasure: a process of the newer release pays them first', old.name
          using errcode = 'object_not_in_prerequisite_state';
      end if;
      return new;
    end $$`.execute(db)
  await sql`create trigger projection_unowed instead of update on app.projection
    for each row execute function app.require_unowed()`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`do $$ begin
    if exists (select from app.projection_owed) then
      raise exception 'An erasure is under way. Let the product end it first.';
    end if;
  end $$`.execute(db)
  await sql`drop trigger projection_unowed on app.projection`.execute(db)
  await sql`drop function app.require_unowed`.execute(db)
}
