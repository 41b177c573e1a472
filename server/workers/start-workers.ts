import type { ChildProcess } from 'node:child_process'
import type { Logger } from '../../services/log.ts'
import type { FromChild } from '../embedded/lifecycle/child.ts'
import { type Supervised, supervise } from '../embedded/lifecycle/supervise.ts'
import type { RoleState } from '../http/raw/health.ts'
import { Channel, portTo } from './channel.ts'
import { forkWorker } from './fork-worker.ts'
import type { Sharing } from './shared/shared.ts'
import { watchSilence } from './silence.ts'
import { STATES, type WorkerReport, type WorkerSettings } from './worker-settings.ts'

export type WorkersOptions = {
  readonly count: number
  readonly settings: WorkerSettings
  readonly sharing: Sharing
  /** Of the roles of this process. */
  readonly states: () => Promise<readonly RoleState[]>
  readonly logger: Logger
}

const READY_MS = 60_000
/** Within the time that the whole program has to stop. */
const STOP_MS = 4_200

/**
 * Starts processes that serve one port together, and each again that dies. Resolves once all are ready; rejects, with
 * none left, where one cannot start.
 */
export async function startWorkers(options: WorkersOptions): Promise<{ close(): Promise<void> }> {
  const { count, settings, sharing, logger } = options
  const running: Supervised<WorkerReport>[] = []
  let areAllUp = false
  // Whoever is asked is up: one that is being replaced makes no difference to members.
  const states = async () => [...(await options.states()), { role: 'workers', ready: areAllUp }]
  const fork = (file: URL): ChildProcess => {
    const worker = forkWorker(file)
    serve(worker, { sharing, states, logger })
    return worker
  }
  const start = () =>
    supervise<WorkerSettings, WorkerReport>({
      name: 'web worker',
      file: new URL('./web-worker.ts', import.meta.url),
      fork,
      settings,
      log: (level, text) => logger[level](text, { role: 'workers' }),
      readyWithinMs: READY_MS,
    }).then((worker) => void running.push(worker))
  const close = async () => void (await Promise.all(running.map((worker) => worker.stop(STOP_MS))))
  const starts = await Promise.allSettled(Array.from({ length: count }, start))
  const failed = starts.find((one) => one.status === 'rejected')
  if (failed) {
    await close()
    throw failed.reason
  }
  areAllUp = true
  return { close }
}

type Served = Pick<WorkersOptions, 'sharing' | 'logger'> & { readonly states: () => Promise<readonly RoleState[]> }

/** One that is frozen keeps its turns and its connections: it is killed, and started again as any that dies. */
function serve(child: ChildProcess, { sharing, states, logger }: Served): void {
  const channel = new Channel(portTo(child))
  channel.on(STATES, states)
  const end = sharing.serve(channel)
  let unwatch = () => {}
  const watch = () => {
    unwatch = watchSilence(channel, () => {
      logger.warn('A web worker gave no answer for seconds and is killed.', { role: 'workers' })
      child.kill('SIGKILL')
    })
  }
  // Before that it loads the pages, within a time of its own.
  child.on('message', (message: FromChild) => {
    if (message.type === 'ready') watch()
  })
  child.once('exit', () => {
    unwatch()
    channel.close()
    end()
  })
}
