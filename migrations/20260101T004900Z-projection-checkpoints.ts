import { type Kysely, sql } from 'kysely'

/** Nobody waits long behind it: whoever reads the table for long, such as a backup, would keep all others from it. */
async function lockTable(db: Kysely<unknown>): Promise<void> {
  await sql`set local lock_timeout = '1500ms'`.execute(db)
  await sql`do $$ begin
    for attempt in 1..200 loop
      begin
        lock table app.projection in access exclusive mode;
        return;
      exception when lock_not_available or deadlock_detected then
        perform pg_sleep(0.4);
      end;
    end loop;
    raise exception 'app.projection is in use. End what reads it for long, such as a backup, and start again.';
  end $$`.execute(db)
  await sql`set local lock_timeout to default`.execute(db)
}

/**
 * Where a read model stands changes with every batch, what it is seldom does: a row each. Every batch gives a checkpoint
 * another step, so that an index finds the newest version first, however many old ones a long snapshot keeps.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await lockTable(db)
  await sql`alter table app.projection rename to projection_target`.execute(db)
  await sql`create table app.projection_checkpoint (
    name text not null, version integer not null, generation integer not null, step bigint not null,
    position text collate "C" not null, epoch text, error text,
    updated_at timestamptz not null default now(),
    events_per_second double precision not null default 0,
    rated_at timestamptz not null default now(),
    clock timestamptz,
    primary key (name, version, generation, step),
    foreign key (name, version, generation) references app.projection_target on delete cascade
  )`.execute(db)
  await sql`alter table app.projection_checkpoint alter column error set statistics 0`.execute(db)
  await sql`insert into app.projection_checkpoint
    select name, version, generation, 0, position, epoch, error, updated_at, events_per_second, rated_at, clock
    from app.projection_target`.execute(db)
  await sql`alter table app.projection_target drop column position, drop column epoch, drop column error,
    drop column updated_at, drop column events_per_second, drop column rated_at, drop column clock`.execute(db)
  // A lock of the view's rows is one of the targets: a query in WITH is not locked.
  await sql`create view app.projection as
    select t.name, t.version, t.generation, t.state, c.position, c.epoch, c.error, c.updated_at, c.events_per_second,
      c.rated_at, c.clock
    from app.projection_target t cross join lateral (
      with newest as (select * from app.projection_checkpoint n
        where n.name = t.name and n.version = t.version and n.generation = t.generation order by step desc limit 1)
      select * from newest) c`.execute(db)
  await forTheReleaseBefore(db)
}

/** It knows a table of this name, and serves on beside this one. */
async function forTheReleaseBefore(db: Kysely<unknown>): Promise<void> {
  await sql`create function app.write_projection() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into app.projection_target values (new.name, new.version, new.generation, new.state);
        insert into app.projection_checkpoint values (new.name, new.version, new.generation, 0, new.position);
        return new;
      elsif tg_op = 'DELETE' then
        delete from app.projection_target where (name, version, generation) = (old.name, old.version, old.generation);
        return old;
      end if;
      -- A change of the state alone is no move: it is made wherever another process has come meanwhile.
      update app.projection_target t set state = new.state
        where t.state <> new.state and (t.name, t.version, t.generation) = (old.name, old.version, old.generation);
      if new.state <> old.state and new.position = old.position then return new; end if;
      update app.projection_checkpoint c set step = c.step + 1, position = new.position, epoch = new.epoch, error = new.error,
          updated_at = new.updated_at, events_per_second = new.events_per_second, rated_at = new.rated_at, clock = new.clock
        where (c.name, c.version, c.generation) = (old.name, old.version, old.generation) and c.step = (select max(step) from app.projection_checkpoint n where
            (n.name, n.version, n.generation) = (old.name, old.version, old.generation))
          and c.position = old.position;
      -- null: another process moved it meanwhile.
      return case when found then new end;
    end $$`.execute(db)
  await sql`create trigger projection_write instead of insert or update or delete on app.projection
    for each row execute function app.write_projection()`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop view app.projection`.execute(db)
  await sql`drop function app.write_projection`.execute(db)
  await sql`alter table app.projection_target rename to projection`.execute(db)
  await sql`alter table app.projection
    add column position text collate "C", add column epoch text, add column error text,
    add column updated_at timestamptz not null default now(),
    add column events_per_second double precision not null default 0,
    add column rated_at timestamptz not null default now(),
    add column clock timestamptz`.execute(db)
  await sql`update app.projection p set position = c.position, epoch = c.epoch, error = c.error, updated_at = c.updated_at,
      events_per_second = c.events_per_second, rated_at = c.rated_at, clock = c.clock
    from app.projection_checkpoint c
    where p.name = c.name and p.version = c.version and p.generation = c.generation`.execute(db)
  await sql`alter table app.projection alter column position set not null, alter column error set statistics 0`.execute(
    db,
  )
  await sql`drop table app.projection_checkpoint`.execute(db)
}
