import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { allProjections } from '../../projections/all-projections.ts'
import type { AnyTable, ReadDb } from '../../projections/projection.ts'
import type { MediaBlurRow, MemberCellRow, ReadSchema } from '../../projections/schema.ts'
import { testDatabase } from './postgres.ts'
import type { Folded } from './project.ts'

/** Read models in a database of the test's own, filled with folded rows: for queries, without log or engine. */
export type ReadModels = {
  db: ReadDb
  /** Replaces every row. */
  fill(folded: Folded, beside?: { member_cell?: MemberCellRow[]; media_blur?: MediaBlurRow[] }): Promise<void>
  close(): Promise<void>
}

const SIDE_TABLES = `
  create table read.member_cell (member text collate "C" primary key, cell_row integer not null, cell_col integer not null,
    lat double precision not null, lng double precision not null);
  create table read.media_blur (original text primary key, blurred text not null)`

function definitionOf(table: AnyTable): string {
  const columns = Object.entries(table.columns).map(([name, type]) => `${name} ${type}`)
  return `create table read.${table.name} (${columns.join(', ')}, primary key (${table.key.join(', ')}))`
}

const tables = allProjections.flatMap((projection) => projection.tables)

export async function readModels(): Promise<ReadModels> {
  const { config, drop } = await testDatabase({ template: { name: 'read_models', migrate } })
  const pool = new pg.Pool({ ...config, max: 4, options: '-c search_path=read' })
  const db = new Kysely<ReadSchema>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    fill: async (folded, { member_cell = [], media_blur = [] } = {}) => {
      const rows = { ...folded.all(), member_cell, media_blur }
      await pool.query(`truncate ${Object.keys(rows).join(', ')}`)
      for (const [table, list] of Object.entries(rows)) await insert(pool, table, list)
    },
    close: async () => {
      await db.destroy()
      await drop()
    },
  }
}

async function migrate(config: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(config)
  await client.connect()
  await client.query(['create schema read', ...tables.map(definitionOf), SIDE_TABLES].join(';'))
  await client.end()
}

async function insert(pool: pg.Pool, table: string, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return
  await pool.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [
    JSON.stringify(rows),
  ])
}
