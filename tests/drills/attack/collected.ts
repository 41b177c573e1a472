import { setTimeout as pause } from 'node:timers/promises'
import { commandLineOf } from '../../../server/embedded/lifecycle/process-identity.ts'
import { type Footprint, footprintOf, workersOf } from '../footprint.ts'
import { openInspector } from '../inspector.ts'

/** Pages are given back to the system by a thread of the engine, a moment after the collection. */
const GIVEN_BACK_MS = 3_000
/** What the first collection finalizes is free in the second. */
const ROUNDS = 2

/** `live`: MiB of its objects and buffers. The rest of what is resident is code, and room that the allocator keeps for reuse. */
export type Collected = Footprint & { readonly live: number }

/**
 * The footprint of a program after it and its web workers have collected their garbage: without, it is up to three times
 * that, by when the engine last collected. `port`: where it is inspectable.
 */
export async function collectedFootprint(pid: number, port: number): Promise<Collected> {
  const workers = workersOf(pid).map((worker) => ({ pid: worker, port: inspectPortOf(worker) }))
  const live = await Promise.all([{ pid, port }, ...workers].map((one) => collect(one.pid, one.port)))
  return { ...footprintOf(pid), live: Math.round(live.reduce((sum, bytes) => sum + bytes, 0) / 2 ** 20) }
}

/** Bytes that are in use after it. */
async function collect(pid: number, port: number): Promise<number> {
  const inspector = await openInspector(pid, port)
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await inspector.ask('HeapProfiler.collectGarbage')
      await pause(GIVEN_BACK_MS)
    }
    const { result } = await inspector.ask('Runtime.evaluate', { expression: LIVE })
    return Number(result?.value)
  } finally {
    inspector.close()
  }
}

const LIVE = 'process.memoryUsage().heapUsed + process.memoryUsage().external'

/** Node gives each worker of an inspectable process a port of its own. */
const inspectPortOf = (worker: number) => Number(/--inspect-port=(?:\S*:)?(\d+)/.exec(commandLineOf(worker) ?? '')?.[1])
