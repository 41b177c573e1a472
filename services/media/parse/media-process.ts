import { Worker } from 'node:worker_threads'
import { deriveForms } from './deriving.ts'
import { parseMedia } from './parse.ts'
import type { Answered, Asked } from './parsing.ts'
import { hasSettled, waitsFor } from './settled.ts'

/**
 * The main file of a worker process: answers one file after the other to its parent, `createMediaWorkers`, which ends it
 * by SIGKILL alone. A signal meant for the whole group, such as Ctrl-C, is left to the parent.
 */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.once('disconnect', () => process.exit(0))
// A parser that reads ahead of what it refused.
process.on('unhandledRejection', () => undefined)

/**
 * A thread, which a parser that never pauses does not keep from running: the process ends with its parent, and by its
 * memory where the parent does not see that.
 */
const GUARD = `
const { ppid, memoryBytes } = require('node:worker_threads').workerData
setInterval(() => {
  if (process.ppid !== ppid || process.memoryUsage.rss() > memoryBytes) process.kill(process.pid, 'SIGKILL')
}, 200)`
/** The parent, which knows why it ends a process, comes first. */
const LATER = 1.5
const [ppid, memoryBytes = 0] = process.argv.slice(2).map(Number)
new Worker(GUARD, { eval: true, execArgv: [], env: {}, workerData: { ppid, memoryBytes: memoryBytes * LATER } }).unref()

const answer = (asked: Asked) => ('derive' in asked ? deriveForms(asked) : parseMedia(asked))
const take = async (asked: Asked): Promise<Answered> => {
  const [before, began] = [waitsFor(), process.cpuUsage()]
  const answered = await answer(asked)
  const settled = answered.ok || (await hasSettled(before))
  const { user, system } = process.cpuUsage(began)
  return { answer: answered, settled, spentMs: (user + system) / 1_000 }
}
process.on('message', async (asked: Asked) => process.send?.(await take(asked)))
process.send?.('ready')
