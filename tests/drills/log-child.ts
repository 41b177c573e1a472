import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type pg from 'pg'

const COMMAND = ['server/run.js', 'log']

/** The log server as a process of its own, to be killed without warning. */
export type LogProcess = { connectionString: string; port: number; kill(): Promise<void> }

/** Starts it over a database reached by a Unix socket and waits until it says where it listens. */
export async function startLogProcess(database: pg.ClientConfig, port: number): Promise<LogProcess> {
  const child = spawn(process.execPath, [...COMMAND, '--port', String(port)], {
    env: { ...process.env, DATABASE_URL: urlOf(database) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const connectionString = await listening(child)
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
    const address = /esdb:\S+/.exec(line)?.[0]
    if (address) return address
  }
  throw new Error(`The log server did not start: ${output.join('')}`)
}

function urlOf({ host = '', user = '', database = '' }: pg.ClientConfig): string {
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
}
