import { type Kysely, sql } from 'kysely'

/** The latest set-back of its log (`set_back.id`) that tables were made or followed behind; null where none was noted before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.projection_target add column set_back text`.execute(db)
  await sql`update app.projection_target t set set_back = s.id
    from app.projection p join app.set_back s on s.log_id = p.epoch
    where (p.name, p.version, p.generation) = (t.name, t.version, t.generation)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.projection_target drop column set_back`.execute(db)
}
