import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type pg from 'pg'
import { databaseUrl } from '../support/servers/database-url.ts'
import { makeTempDir } from '../support/temp-folder.ts'

const COMMAND = ['server/run.js', 'log']

/** The log server as a process of its own, to be killed without warning. */
export type LogProcess = { connectionString: string; port: number; kill(): Promise<void> }

/**
 * Starts it over a database reached by a Unix socket and waits until it reports where it listens. `dataDir` keeps the secret that
 * lets in.
 */
export async function startLogProcess(
  database: pg.ClientConfig,
  port: number,
  dataDir = makeTempDir('letsbuzz-log-'),
): Promise<LogProcess> {
  const child = spawn(process.execPath, [...COMMAND, '--port', String(port)], {
    env: { ...process.env, DATABASE_URL: databaseUrl(database), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const address = await listening(child)
  const connectionString = `${address}&connectionName=${readFileSync(join(dataDir, 'log-secret'), 'utf8').trim()}`
  return {
    connectionString,
    port: Number(new URL(connectionString).port),
    kill: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

async function listening(child: ChildProcess): Promise<string> {
  const output: string[] = []
  child.stderr?.on('data', (text) => output.push(String(text)))
  for await (const line of createInterface({ input: child.stdout! })) {
    const address = /esdb:[^\s;]+/.exec(line)?.[0]
    if (address) return address
  }
  throw new Error(`The log server did not start: ${output.join('')}`)
}
