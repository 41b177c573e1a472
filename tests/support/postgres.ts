import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { CLUSTER_DOOR, startCluster } from './postgres-cluster.ts'

/** A database nobody else uses. `run` executes one statement over a connection of its own. */
export type TestDatabase = {
  config: pg.ClientConfig
  run(text: string, values?: unknown[]): Promise<pg.QueryResult>
  drop(): Promise<void>
}

/**
 * Makes an empty database, or a copy of `template`, in the run's Postgres. Outside Vitest it starts a Postgres for this
 * one database, and `drop` ends it.
 */
export async function freshDatabase(template?: string): Promise<TestDatabase> {
  const { config, remove } = await cluster()
  const name = `t_${randomUUID().replaceAll('-', '')}`
  const copied = template === undefined ? 'template0' : pg.escapeIdentifier(template)
  await run(config, `create database ${name} template ${copied} strategy wal_log`)
  const own = { ...config, database: name }
  return {
    config: own,
    run: (text, values) => run(own, text, values),
    drop: async () => {
      await run(config, `drop database if exists ${name} with (force)`)
      await remove?.()
    },
  }
}

async function cluster(): Promise<{ config: pg.ClientConfig; remove?: () => Promise<void> }> {
  const door = process.env[CLUSTER_DOOR]
  if (!door) {
    const own = await startCluster()
    return { config: own.clientConfig('postgres'), remove: own.remove }
  }
  const answer = await fetch(door)
  if (!answer.ok) throw new Error(`The test run has no Postgres: ${await answer.text()}`)
  return { config: (await answer.json()) as pg.ClientConfig }
}

async function run(config: pg.ClientConfig, text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client(config)
  await client.connect()
  try {
    return await client.query(text, values)
  } finally {
    await client.end()
  }
}
