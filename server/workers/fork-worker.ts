import type { ChildProcess } from 'node:child_process'
import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { nodeArgs } from '../../services/node-args.ts'

/**
 * A process that listens on the same port as the others of this one, each on the one queue of the kernel. Node's own
 * default has this process take the connections and hand them out: the next to a worker only after a round of its event
 * loop, in which it can take dozens. Nobody hands a connection to one that is frozen or dead either: others take it.
 */
export function forkWorker(file: URL): ChildProcess {
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: fileURLToPath(file), args: [], execArgv: [...process.execArgv, ...nodeArgs(file)] })
  const worker = cluster.fork()
  // Its end is seen by its exit.
  worker.on('error', () => undefined)
  return worker.process
}
