import { MESSAGE_IDS } from '../../realtime/protocol.ts'
import type { LiveConnection } from './connection.ts'

/** A message on its way. `failed`: the server refused it, in these words; it stays until sent again or dropped. */
export type Outgoing = {
  readonly id: string
  readonly to: string
  readonly roomId: string
  readonly text: string
  readonly mediaId?: string
  /** ISO, by this device's clock, until the stored message brings its own. */
  readonly time: string
  readonly state: 'sending' | 'sent' | 'failed'
  readonly error?: string
}
export type OutgoingDraft = Pick<Outgoing, 'to' | 'roomId' | 'text' | 'mediaId'>

type Live = Pick<LiveConnection, 'ask' | 'on' | 'state'>
const PAUSE_MS = 1_000
const LONGEST_WAIT_MS = 60_000

/**
 * Messages of this page that the log may not have yet. Each keeps its id over every try, so that none is stored twice;
 * an unknown outcome is tried again once the connection is back, in the order they were written.
 */
export class Outbox {
  private entries: readonly Outgoing[] = []
  private readonly listeners = new Set<() => void>()
  private sending = false
  private readonly stops: readonly (() => void)[]

  constructor(
    private readonly live: Live,
    private readonly newId: () => string = () => crypto.randomUUID(),
  ) {
    this.stops = [
      live.on('state', (state) => state === 'live' && this.flush()),
      live.on('direct:message', ({ data }) => this.arrived([data.id])),
    ]
  }

  /** For `useSyncExternalStore`: the same array until something changes. */
  list = (): readonly Outgoing[] => this.entries

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  send(draft: OutgoingDraft): string {
    const id = this.newId()
    this.set([...this.entries, { ...draft, id, time: new Date().toISOString(), state: 'sending' as const }])
    this.flush()
    return id
  }

  /** Sends what an earlier page of this tab did not, before its own, under the same ids. */
  resume(left: readonly Outgoing[]): void {
    const known = new Set(this.entries.map(({ id }) => id))
    const older = left.filter(({ id }) => !known.has(id))
    if (older.length === 0) return
    this.set([...older, ...this.entries])
    this.flush()
  }

  /** Tries a failed one again, under the same id. */
  retry(id: string): void {
    this.change(id, ({ error: _error, ...entry }) => ({ ...entry, state: 'sending' }))
    this.flush()
  }

  drop(id: string): void {
    this.set(this.entries.filter((entry) => entry.id !== id))
  }

  /** The log has these: the page shows the stored ones. */
  arrived(ids: readonly string[]): void {
    if (this.entries.some((entry) => ids.includes(entry.id)))
      this.set(this.entries.filter((entry) => !ids.includes(entry.id)))
  }

  close(): void {
    for (const stop of this.stops) stop()
  }

  private flush(): void {
    if (this.sending || this.live.state !== 'live') return
    this.sending = true
    void this.work().finally(() => {
      this.sending = false
      if (this.entries.some(({ state }) => state === 'sending')) this.flush()
    })
  }

  private async work(): Promise<void> {
    for (;;) {
      const next = this.entries.find((entry) => entry.state === 'sending')
      if (!next || this.live.state !== 'live') return
      const { to, id, roomId, text, mediaId } = next
      const answer = await this.live.ask('direct:message', { to, id, roomId, text, ...(mediaId && { mediaId }) })
      if (answer.ok) this.change(id, (entry) => ({ ...entry, state: 'sent' }))
      else if (waitAfter(answer) <= LONGEST_WAIT_MS) await pause(Math.max(PAUSE_MS, waitAfter(answer)))
      else this.change(id, (entry) => ({ ...entry, state: 'failed', error: answer.error }))
    }
  }

  private change(id: string, how: (entry: Outgoing) => Outgoing): void {
    this.set(this.entries.map((entry) => (entry.id === id ? how(entry) : entry)))
  }

  private set(entries: readonly Outgoing[]): void {
    this.entries = entries.slice(-MESSAGE_IDS)
    for (const listener of [...this.listeners]) listener()
  }
}

/** Milliseconds until it is worth another try. Of a limit that lasts for the day its writer hears, as of what no wait helps. */
const waitAfter = ({ code, retryInMs }: { code: string; retryInMs?: number | undefined }): number =>
  retryInMs ?? (code === 'lost' ? 0 : Infinity)

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
