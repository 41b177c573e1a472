import WebSocket from 'ws'
import { LiveConnection } from '../../../app/live/connection.ts'
import { until } from '../../support/until.ts'
import type { Resident } from './mix.ts'

const LIVE_WITHIN_MS = 60_000
const ARRIVES_WITHIN_MS = 30_000

/** One open page of a member: how often it was shown each message. */
type Listener = { readonly connection: LiveConnection; readonly shown: Map<string, number>; resyncs: number }

/** Open pages of members, who read what is written to them. */
export class Listeners {
  private constructor(private readonly of: ReadonlyMap<string, readonly Listener[]>) {}

  /** So many for each, from their own addresses; resolves once all are live. */
  static async open(url: string, people: readonly Resident[], each: number): Promise<Listeners> {
    const of = new Map(people.map((who, at) => [who.id, Array.from({ length: each }, () => listen(url, who, at))]))
    const listeners = new Listeners(of)
    const isLive = () => listeners.all.every(({ connection }) => connection.state === 'live')
    await until('every page is live', isLive, LIVE_WITHIN_MS)
    return listeners
  }

  private get all(): Listener[] {
    return [...this.of.values()].flat()
  }

  /** Waits a while for those on their way, and counts what never came to an open page of whom it was for, or twice. */
  async compare(written: readonly (readonly [to: string, message: string])[]) {
    const shown = written.flatMap(([to, message]) =>
      (this.of.get(to) ?? []).map((listener) => () => listener.shown.get(message) ?? 0),
    )
    await until('every message', () => shown.every((times) => times() > 0), ARRIVES_WITHIN_MS).catch(() => undefined)
    return {
      expected: shown.length,
      missed: shown.filter((times) => times() === 0).length,
      doubled: shown.filter((times) => times() > 1).length,
      resyncs: this.all.reduce((sum, { resyncs }) => sum + resyncs, 0),
    }
  }

  close(): void {
    for (const { connection } of this.all) connection.stop()
  }
}

function listen(url: string, { token }: Resident, at: number): Listener {
  const { port } = new URL(url)
  const origin = `http://127.0.0.1:${port}`
  const shown = new Map<string, number>()
  const connection = new LiveConnection({
    url: `ws://127.0.0.1:${port}/realtime`,
    from: null,
    token: () => token,
    reload: async () => {
      listener.resyncs += 1
      throw new Error('there is no page to read again')
    },
    open: (to) => {
      const socket = new WebSocket(to, { origin, localAddress: addressOf(at) })
      // A socket that is refused closes next.
      socket.on('error', () => undefined)
      return socket as unknown as globalThis.WebSocket
    },
  })
  const listener: Listener = { connection, shown, resyncs: 0 }
  connection.on('direct:message', ({ data }) => void shown.set(data.id, (shown.get(data.id) ?? 0) + 1))
  connection.start()
  return listener
}

/** Eight members behind each address, as at home or in an office. */
export const addressOf = (at: number) => `127.0.3.${1 + Math.floor(at / 8)}`
