import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { EventStoreDBClient } from '@eventstore/db-client'
import { startPostgres } from '../../server/embedded/postgres/launcher.ts'
import { layCluster } from '../support/cluster.ts'
import { type LogProcess, startLogProcess } from './log-child.ts'
import { appendUntil, type Load } from './log-load.ts'

const APPENDERS = 32
const SECONDS_BETWEEN_KILLS = 0.5

/** `lost`: acknowledged but absent. `doubled`: stands more than once. `gaps`: revisions or positions out of step. */
export type LogKillResult = { kills: number; acknowledged: number; lost: number; doubled: number; gaps: number }

/** `seconds` is the longest load between two kills; each pause is a random part of it. */
export type LogKillOptions = { kills: number; seconds?: number }

/** Kills the log server again and again under load, then compares the log with what was acknowledged. */
export async function logKillDrill({ kills, seconds = SECONDS_BETWEEN_KILLS }: LogKillOptions): Promise<LogKillResult> {
  const folder = mkdtempSync(join(tmpdir(), 'letsbuzz-drill-'))
  // Postgres started by root runs as another user, who must get in.
  chmodSync(folder, 0o755)
  await layCluster(join(folder, 'postgres'))
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') })
  try {
    await postgres.createDatabase('log')
    const start = (port: number) => startLogProcess(postgres.clientConfig('log'), port, join(folder, 'data'))
    return await killUnderLoad(start, kills, seconds)
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Start = (port: number) => Promise<LogProcess>

async function killUnderLoad(start: Start, kills: number, seconds: number): Promise<LogKillResult> {
  let server = await start(0)
  const client = EventStoreDBClient.connectionString(server.connectionString)
  try {
    let stopped = false
    const appenders = Array.from({ length: APPENDERS }, (_, number) => appendUntil(() => stopped, client, number))
    // An appender that the log wrongly refuses ends the drill at once.
    const refused = Promise.all(appenders).then(() => {})
    for (let kill = 0; kill < kills; kill++) {
      await Promise.race([pause(50 + Math.random() * seconds * 1000), refused])
      await server.kill()
      server = await start(server.port)
    }
    await pause(seconds * 1000)
    stopped = true
    const loads = await Promise.all(appenders)
    return { kills, ...(await compare(client, loads)) }
  } finally {
    await client.dispose()
    await server.kill()
  }
}

async function compare(client: EventStoreDBClient, loads: Load[]): Promise<Omit<LogKillResult, 'kills'>> {
  const counts = new Map<string, number>()
  const next = new Map<string, bigint>()
  let [gaps, last] = [0, -1n]
  for await (const { event } of client.readAll()) {
    if (event?.type !== 'Drilled') continue
    counts.set(event.id, (counts.get(event.id) ?? 0) + 1)
    if (event.revision !== (next.get(event.streamId) ?? 0n) || event.position!.commit <= last) gaps++
    next.set(event.streamId, event.revision + 1n)
    last = event.position!.commit
  }
  const acknowledged = loads.flatMap((load) => load.acknowledged)
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((id) => !counts.has(id)).length,
    doubled: [...counts.values()].filter((count) => count > 1).length,
    gaps,
  }
}
