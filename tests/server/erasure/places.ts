import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type pg from 'pg'
import { copyToSink } from '../../../server/tools/backup/copy.ts'
import { connected } from '../../../server/tools/backup/snapshot.ts'

const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema)'`

/** What every table of a database gives to COPY, bytes as they are; by the table's name. */
export async function dumpOf(database: pg.ClientConfig): Promise<Map<string, Buffer>> {
  return connected(database, async (client) => {
    const { rows } = await client.query<{ name: string }>(TABLES)
    const dump = new Map<string, Buffer>()
    for (const { name } of rows) {
      const chunks: Buffer[] = []
      const sink = new Writable({
        write(chunk: Buffer, _encoding, done) {
          chunks.push(chunk)
          done()
        },
      })
      await copyToSink(client, `copy ${name} to stdout (format binary)`, sink)
      dump.set(name, Buffer.concat(chunks))
    }
    return dump
  })
}

/** Samples of values that Postgres takes to plan by, fresh. They outlive the rows that they are of. */
export async function samplesOf(database: pg.ClientConfig): Promise<Map<string, Buffer>> {
  return connected(database, async (client) => {
    await client.query('analyze')
    const { rows } = await client.query<{ place: string; values: string }>(
      `select concat_ws('.', schemaname, tablename, attname) as place, s::text as values from pg_stats s
       where schemaname !~ '^(pg_|information_schema)'`,
    )
    return new Map(rows.map(({ place, values }) => [place, Buffer.from(values)]))
  })
}

/** Ends the file that Postgres writes its log to, and lets go of those that it needs no more; answers their folder. */
export async function endWal(database: pg.ClientConfig): Promise<string> {
  return connected(database, async (client) => {
    for (let round = 0; round < 2; round++) {
      await client.query('select pg_switch_wal()')
      await client.query('checkpoint')
    }
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    return join(rows[0]!.data_directory, 'pg_wal')
  })
}

/** The files of one database's tables and indexes. */
export async function filesOf(database: pg.ClientConfig): Promise<Map<string, Buffer>> {
  const folder = await connected(database, async (client) => {
    const { rows } = await client.query<{ folder: string }>(
      `select current_setting('data_directory') || '/base/' || oid as folder from pg_database
       where datname = current_database()`,
    )
    return rows[0]!.folder
  })
  return filesBelow(folder)
}

/** Every file below a folder. */
export async function filesBelow(folder: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  if (!existsSync(folder)) return files
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    // Other tests use the same server: a file may go at any moment.
    const bytes = entry.isFile() ? await readFile(path).catch(() => null) : null
    if (bytes) files.set(path, bytes)
  }
  return files
}

/** `place: word` for every place that holds one of the words, in any case. */
export function findIn(places: ReadonlyMap<string, Buffer>, words: readonly string[]): string[] {
  return [...places].flatMap(([place, bytes]) => {
    const text = bytes.toString('latin1').toLowerCase()
    return words.filter((word) => text.includes(word.toLowerCase())).map((word) => `${place}: ${word}`)
  })
}
