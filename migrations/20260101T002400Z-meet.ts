import { type Kysely, sql } from 'kysely'

/** Whom somebody may be shown, counted within one call: each statement of it sees what the turn before it wrote. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create function app.meet(
    meeting text, asked text[], met_now timestamptz, since timestamptz, points integer,
    out allowed text[], out oldest timestamptz
  ) language plpgsql as $$
  begin
    -- A crash may forget the last moment's meetings; a deck need not wait for the disk. One at a time for each key.
    perform set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(hashtextextended(meeting, 0));
    with known as materialized (
      select item, met_at from app.met where key = meeting and met_at > since
    ), asking as (
      select one.item, k.item is not null as known,
        row_number() over (partition by k.item is not null order by min(one.place)) as turn
      from unnest(asked) with ordinality one(item, place) left join known k on k.item = one.item
      group by one.item, k.item
    ), admitted as materialized (
      select item from asking where known or turn <= points - (select count(*) from known)
    ), written as (
      insert into app.met (key, item, met_at) select meeting, item, met_now from admitted
      on conflict (key, item) do update set met_at = excluded.met_at
    )
    select coalesce((select array_agg(item) from admitted), '{}'),
      (select min(met_at) from known where item not in (select item from admitted))
    into allowed, oldest;
  end $$`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop function app.meet`.execute(db)
}
