import { type Kysely, sql } from 'kysely'

/** Fillings are not shared by workers any more; what was begun in parts stands at no single position, and is begun again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`do $$
    declare filling record;
    begin
      for filling in select distinct name, version, generation from app.projection_part
        join app.projection using (name, version, generation) where state = 'filling' loop
        execute format('drop schema if exists %I cascade', 'p_' || filling.name || '_v' || filling.version
          || case when filling.generation = 1 then '' else '_' || filling.generation end);
        delete from app.projection p
          where (p.name, p.version, p.generation) = (filling.name, filling.version, filling.generation);
      end loop;
    end $$`.execute(db)
  await sql`drop table app.projection_part`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.projection_part (
    name text not null,
    version integer not null,
    generation integer not null,
    part integer not null,
    parts integer not null,
    position text collate "C" not null,
    primary key (name, version, generation, part),
    foreign key (name, version, generation) references app.projection on delete cascade
  )`.execute(db)
}
