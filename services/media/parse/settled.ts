import { performance as thread } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

const LOOK_MS = 25
/** Collecting what a file has left takes one or two. */
const LOOKS = 4
/** Microseconds of the processor, of all threads, in one look: what runs on takes several times as much. */
const MOST_MICROS = 5_000
/** Share of a look in which the main thread does not wait, whether or not it has a core. */
const MOST_BUSY = 0.5

/** How much this process waits for: timers, reads, writes. */
export const waitsFor = (): number => process.getActiveResourcesInfo().length

/** Whether a refused file has left nothing that works or waits; `before`: how much this process waited for without it. */
export async function hasSettled(before: number): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) if ((await isIdle()) && waitsFor() <= before) return true
  return false
}

async function isIdle(): Promise<boolean> {
  const [used, loop] = [process.cpuUsage(), thread.eventLoopUtilization()]
  await pause(LOOK_MS)
  const { user, system } = process.cpuUsage(used)
  return user + system <= MOST_MICROS && thread.eventLoopUtilization(loop).utilization <= MOST_BUSY
}
