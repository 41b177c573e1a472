import { type Kysely, sql } from 'kysely'

/** Nobody waits long behind it: whoever reads the view for long, such as a backup, would keep all others from it. */
async function replaceView(db: Kysely<unknown>, newest: string): Promise<void> {
  await sql`set local lock_timeout = '1500ms'`.execute(db)
  await sql
    .raw(`do $$ begin
    for attempt in 1..200 loop
      begin
        create or replace view app.projection as
          select t.name, t.version, t.generation, t.state, c.position, c.epoch, c.error, c.updated_at, c.events_per_second,
            c.rated_at, c.clock
          from app.projection_target t cross join lateral (
            with newest as (${newest})
            select * from newest) c;
        return;
      exception when lock_not_available or deadlock_detected then
        perform pg_sleep(0.4);
      end;
    end loop;
    raise exception 'app.projection is in use. End what reads it for long, such as a backup, and start again.';
  end $$`)
    .execute(db)
  await sql`set local lock_timeout to default`.execute(db)
}

const COLUMNS = 'n.position, n.epoch, n.error, n.updated_at, n.events_per_second, n.rated_at, n.clock'
const BY_FUNCTION = `select ${COLUMNS} from app.newest_checkpoint(t.name, t.version, t.generation) n`
const BY_QUERY = `select ${COLUMNS} from app.projection_checkpoint n
              where n.name = t.name and n.version = t.version and n.generation = t.generation order by step desc limit 1`

/**
 * The index has the newest step first, and its plan has no other way: what Postgres samples of a table knows nothing of the old
 * steps that a long snapshot keeps, and by that to read them all and sort them costs no more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create function app.newest_checkpoint(name text, version integer, generation integer)
    returns setof app.projection_checkpoint language plpgsql stable rows 1
    set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
    begin
      return query select n.* from app.projection_checkpoint n
        where n.name = $1 and n.version = $2 and n.generation = $3 order by n.step desc limit 1;
    end $$`.execute(db)
  await replaceView(db, BY_FUNCTION)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await replaceView(db, BY_QUERY)
  await sql`drop function app.newest_checkpoint`.execute(db)
}
