import type { ChildProcess } from 'node:child_process'

type Handing = { readonly cmd?: unknown; readonly act?: unknown; readonly seq?: unknown; readonly ack?: unknown }
const CLUSTER = 'NODE_CLUSTER'

/**
 * Node waits for ever until a worker has taken the connection that it was handed, also for one that has died: whoever
 * asked gets no answer. Here such a connection counts as refused, and node hands it to another worker. These are the
 * messages of `node:cluster` as node 20 has them; where they are others, nothing happens.
 */
export function handOverAgain(worker: ChildProcess): void {
  const untaken = new Set<unknown>()
  const { send } = worker
  worker.send = ((message: Handing, ...rest: []) => {
    if (message.cmd === CLUSTER && message.act === 'newconn') untaken.add(message.seq)
    return send.call(worker, message, ...rest)
  }) as ChildProcess['send']
  worker.on('internalMessage', ({ cmd, ack }: Handing) => {
    if (cmd === CLUSTER) untaken.delete(ack)
  })
  worker.once('exit', () => {
    for (const ack of untaken) worker.emit('internalMessage', { cmd: CLUSTER, ack, accepted: false })
  })
}
