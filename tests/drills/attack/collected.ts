import { setTimeout as pause } from 'node:timers/promises'
import WebSocket from 'ws'
import { until } from '../../support/until.ts'
import { type Footprint, footprintOf } from '../footprint.ts'

/** Pages are given back to the system by a thread of the engine, a moment after the collection. */
const GIVEN_BACK_MS = 3_000
/** What the first collection finalizes is free in the second. */
const ROUNDS = 2

/** How a program is started whose memory is to be read so. */
export const inspectable = (port: number) => ({ NODE_OPTIONS: `--inspect-port=127.0.0.1:${port}` })

/** `live`: MiB of its objects and buffers. The rest of what is resident is code, and room that the allocator keeps for reuse. */
export type Collected = Footprint & { readonly live: number }

/**
 * The footprint of a program after it has collected its garbage: without, it is up to three times that, by when the
 * engine last collected. `port`: where it is inspectable.
 */
export async function collectedFootprint(pid: number, port: number): Promise<Collected> {
  process.kill(pid, 'SIGUSR1')
  const inspector = await openInspector(port)
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await ask(inspector, round, 'HeapProfiler.collectGarbage')
      await pause(GIVEN_BACK_MS)
    }
    const { result } = await ask(inspector, ROUNDS, 'Runtime.evaluate', { expression: LIVE })
    return { ...footprintOf(pid), live: Math.round(Number(result?.value) / 2 ** 20) }
  } finally {
    inspector.close()
  }
}

const LIVE = 'process.memoryUsage().heapUsed + process.memoryUsage().external'

async function openInspector(port: number): Promise<WebSocket> {
  const list = () =>
    fetch(`http://127.0.0.1:${port}/json/list`).then(
      (answer) => answer.json(),
      () => null,
    )
  const [target] = (await until('the inspector answers', list)) as { webSocketDebuggerUrl: string }[]
  const inspector = new WebSocket(target!.webSocketDebuggerUrl)
  await new Promise((done, failed) => inspector.once('open', done).once('error', failed))
  return inspector
}

type Answer = { readonly result?: { readonly value?: unknown } }

function ask(inspector: WebSocket, id: number, method: string, params: object = {}): Promise<Answer> {
  inspector.send(JSON.stringify({ id, method, params }))
  return new Promise((done, failed) => {
    inspector.once('error', failed)
    inspector.on('message', (text) => {
      const message = JSON.parse(String(text))
      if (message.id === id) done(message.result)
    })
  })
}
