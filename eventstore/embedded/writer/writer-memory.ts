import { isMetastream, metastreamOf, NOTHING, type ProposedEvent, type StoredEvent, subjectOf } from '../records.ts'
import type { EventPosition, Storage } from '../storage/storage.ts'
import { RecentMap } from './recent-map.ts'
import { retentionOf, type StreamState, stateFrom } from './stream-state.ts'
import { orUndecided } from './undecided.ts'

const REMEMBERED_STREAMS = 50_000
const REMEMBERED_IDS = 50_000

/** What the one writer remembers of the committed log, so that most appends are decided without a query. */
export class WriterMemory {
  readonly streams = new RecentMap<StreamState>(REMEMBERED_STREAMS)
  readonly positions = new RecentMap<EventPosition>(REMEMBERED_IDS)

  /** Forgets everything and learns the newest event ids, so that a repeated append is known after a restart. */
  async relearn(storage: Storage): Promise<void> {
    this.streams.clear()
    this.positions.clear()
    for (const position of await storage.newestPositions(REMEMBERED_IDS)) this.positions.set(position.id, position)
  }
}

/** The memory as one group of writes sees it: its own events on top. Nothing below changes until they are committed. */
export class WriteDraft {
  readonly events: StoredEvent[] = []
  private readonly streams = new Map<string, StreamState>()
  private readonly positions = new Map<string, EventPosition>()

  constructor(
    private readonly memory: WriterMemory,
    private readonly storage: Storage,
    readonly startsAfter: number,
  ) {}

  get position(): number {
    return this.startsAfter + this.events.length
  }

  async state(stream: string): Promise<StreamState> {
    await this.load([stream])
    return this.known(stream)!
  }

  /** Loads all unknown streams in one query. Throws `UndecidedError` where one of them cannot be read. */
  async load(streams: string[]): Promise<void> {
    const unknown = [...new Set(streams)].filter((stream) => !this.known(stream))
    if (!unknown.length) return
    const summaries = await orUndecided(this.storage.summarise(unknown))
    unknown.forEach((stream, index) => {
      this.streams.set(stream, stateFrom(stream, summaries[index]!))
    })
  }

  positionOf(id: string): EventPosition | undefined {
    return this.positions.get(id) ?? this.memory.positions.get(id)
  }

  /** Adds an event to a loaded stream, by default at its next revision. A metadata event changes its subject too. */
  add(stream: string, proposed: ProposedEvent, created: number, revision = this.known(stream)!.last + 1): void {
    const { id, type, json, data, metadata } = proposed
    const position = this.position + 1
    this.events.push({ id, type, json, data, metadata, stream, revision, position, created })
    this.positions.set(id, { id, stream, revision, position })
    this.streams.set(stream, { last: revision, retention: this.known(stream)!.retention })
    if (isMetastream(stream)) this.limit(subjectOf(stream), json ? data : NOTHING)
  }

  /** Hands everything to the memory: the events are committed. */
  keep(): void {
    for (const [stream, state] of this.streams) this.memory.streams.set(stream, state)
    for (const [id, position] of this.positions) this.memory.positions.set(id, position)
  }

  private limit(stream: string, metadata: Buffer): void {
    const state = this.known(stream)
    if (state) this.streams.set(stream, { last: state.last, retention: retentionOf(stream, metadata) })
  }

  private known(stream: string): StreamState | undefined {
    return this.streams.get(stream) ?? this.memory.streams.get(stream)
  }
}

/** Streams whose state decides a write to `stream`. */
export const decidingStreams = (stream: string, removes: boolean): string[] =>
  isMetastream(stream) ? [stream, subjectOf(stream)] : removes ? [stream, metastreamOf(stream)] : [stream]
