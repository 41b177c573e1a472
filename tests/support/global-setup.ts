import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { identityOf, isRunning, type ProcessIdentity } from '../../server/embedded/lifecycle/process-identity.ts'
import type { Postgres } from '../../server/embedded/postgres/launcher.ts'
import { ROOT } from '../../server/root.ts'
import { ensureProgram } from '../../server/tools/build/program.js'
import { startCluster } from './cluster.ts'
import { builtMediaProgram, MEDIA_PROGRAM } from './programs/media-program.ts'
import { makeTempDir, RUN_FOLDER, runFolders } from './temp-folder.ts'

/** Names the socket that answers the connection of the run's Postgres. Worker processes inherit it. */
export const SOCKET_VARIABLE = 'TEST_POSTGRES_SOCKET'

const PREFIX = 'letsbuzz-run-'

/** The program as it is run, and one fast Postgres for the whole run, started when the first test wants a database. */
export default async function setup(): Promise<() => Promise<void>> {
  await ensureProgram(ROOT)
  process.env[MEDIA_PROGRAM] = builtMediaProgram()
  const folder = makeRunFolder(runFolders())
  process.env[RUN_FOLDER] = folder
  let started: Promise<Postgres> | undefined
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    started ??= startCluster(folder)
    started.then(
      (postgres) => socket.end(JSON.stringify({ server: postgres.clientConfig('postgres') })),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    )
  })
  process.env[SOCKET_VARIABLE] = join(folder, 'socket')
  await new Promise<void>((resolve) => server.listen(process.env[SOCKET_VARIABLE], resolve))
  return async () => {
    server.close()
    await started?.then((postgres) => postgres.stop()).catch(() => undefined)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A folder that the next run removes when this process is killed. */
export function makeRunFolder(parent: string): string {
  clearDeadRuns(parent)
  const folder = makeTempDir(PREFIX, parent)
  writeFileSync(join(folder, 'run.json'), JSON.stringify(identityOf(process.pid)))
  return folder
}

/** Removes the folders of runs that were killed. */
function clearDeadRuns(parent: string): void {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = join(parent, name)
    try {
      const owner = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as ProcessIdentity
      if (!isRunning(owner)) rmSync(folder, { recursive: true, force: true })
    } catch {}
  }
}
