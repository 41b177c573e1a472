import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { workOnJobs } from '../../../services/jobs/worker.ts'
import { createLogger } from '../../../services/log.ts'
import { bundled } from '../../support/programs/bundled.ts'
import { KINDS } from './kinds.ts'

const ME = fileURLToPath(import.meta.url)
const COMES_AGAIN_MS = 3_600_000

/** A process with a worker that comes to the end of its job only when it is let; resolves once it has taken one. */
export async function startStuckWorker(database: pg.ClientConfig, beatMs?: number) {
  const child = spawn(process.execPath, [bundled(ME)], {
    env: { ...process.env, JOB_CHILD: JSON.stringify({ database, beatMs }) },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines: string[] = []
  const reading = createInterface(child.stdout).on('line', (line) => lines.push(line))
  await once(reading, 'line')
  return {
    /** What it logs, behind the id of the job. */
    lines,
    freeze: () => child.kill('SIGSTOP'),
    /** Its job, which wants to come again in an hour, ends as soon as it runs again. */
    wake() {
      child.stdin.write('end\n')
      child.kill('SIGCONT')
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function work(given: { database: pg.ClientConfig; beatMs?: number }): Promise<void> {
  const count = async ({ row }: { row: string }) => {
    process.stdout.write(`${row}\n`)
    await once(process.stdin, 'data')
    return COMES_AGAIN_MS
  }
  const logger = createLogger({ destination: process.stdout })
  const handlers = { count, sweep: async () => null }
  await workOnJobs({ ...given, kinds: KINDS, handlers, recurring: {}, logger }, new AbortController().signal)
}

if (process.argv[1] === ME) await work(JSON.parse(process.env.JOB_CHILD ?? ''))
