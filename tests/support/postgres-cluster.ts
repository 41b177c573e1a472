import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '../../server/postgres/launcher.ts'

/** Where test files ask for the run's Postgres. */
export const CLUSTER_DOOR = 'TEST_POSTGRES_DOOR'

export type Cluster = Postgres & { remove(): Promise<void> }

/** A Postgres of its own that forgets everything at the end. */
export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'letsbuzz-test-'))
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), fast: true })
  const remove = async () => {
    await postgres.stop()
    await Promise.all([folder, postgres.dataDir].map((path) => rm(path, { recursive: true, force: true })))
  }
  return { ...postgres, remove }
}

/** Vitest's global set-up: one Postgres for the whole run, started when the first test file asks for it. */
export default async function offerCluster(): Promise<() => Promise<void>> {
  let cluster: Promise<Cluster> | undefined
  const door = createServer((_request, response) => {
    cluster ??= startCluster()
    cluster.then(
      ({ clientConfig }) => response.end(JSON.stringify(clientConfig('postgres'))),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  process.env[CLUSTER_DOOR] = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
  return async () => {
    door.closeAllConnections()
    door.close()
    await (await cluster)?.remove()
  }
}
