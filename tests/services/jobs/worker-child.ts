import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { workOnJobs } from '../../../services/jobs/worker.ts'
import { createLogger } from '../../../services/log.ts'
import { quiet } from '../../../services/quiet-pool.ts'
import { bundled } from '../../support/programs/bundled.ts'
import { KINDS } from './kinds.ts'

const ME = fileURLToPath(import.meta.url)

/** A process with a worker that comes to the end of no job; resolves once it has taken one. */
export async function startStuckWorker(config: pg.ClientConfig) {
  const child = spawn(process.execPath, [bundled(ME)], {
    env: { ...process.env, JOB_CHILD: JSON.stringify(config) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  await once(createInterface(child.stdout), 'line')
  return {
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function work(config: pg.PoolConfig): Promise<void> {
  const count = async ({ row }: { row: string }) => {
    process.stdout.write(`${row}\n`)
    return new Promise<null>(() => undefined)
  }
  const deps = {
    pool: quiet(new pg.Pool(config)),
    kinds: KINDS,
    recurring: {},
    logger: createLogger({ level: 'silent' }),
  }
  await workOnJobs({ ...deps, handlers: { count, sweep: async () => null } }, new AbortController().signal)
}

if (process.argv[1] === ME) await work(JSON.parse(process.env.JOB_CHILD ?? '') as pg.PoolConfig)
