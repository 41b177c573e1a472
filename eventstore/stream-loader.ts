import { setImmediate as others } from 'node:timers/promises'
import type { DomainEvent } from '../domain/all-events.ts'
import type { Decider } from '../domain/shared/decider.ts'
import { START } from '../domain/shared/recorded.ts'
import type { Codec } from './codec.ts'
import type { StoredEvent } from './events.ts'
import type { Log } from './log.ts'
import { CommandIndex, type CommandMark } from './snapshots/command-index.ts'
import { anchorOf, type Snapshots } from './snapshots/snapshots.ts'
import type { Folded, StateCache } from './state-cache.ts'

/** What a load needs of a decider. */
export type Folding<S> = Pick<
  Decider<never, DomainEvent, S, string>,
  'initial' | 'evolve' | 'ignores' | 'impersonal' | 'snapshot'
>

type Deps = {
  readonly log: Log
  readonly codec: Codec
  readonly cache: StateCache
  readonly snapshots: Snapshots
}

/** Between two such parts of a long stream others have their turn. */
const DECODED_AT_ONCE = 250

/** Streams as deciders fold them: from memory, from a snapshot and what followed it, or from their beginning. */
export class StreamLoader {
  private readonly loading = new Map<string, Promise<Folded<unknown>>>()

  constructor(private readonly deps: Deps) {}

  /** The stream's fold: a cached one will do until it leads to nothing, since the append checks the revision. */
  async load<S>(decider: Folding<S>, stream: string, fresh: boolean, signal?: AbortSignal): Promise<Folded<S>> {
    const since = this.deps.cache.forgotten
    const known = this.deps.cache.get(stream) as Folded<S> | undefined
    if (known && !fresh) return known
    if (known) return this.keep(decider, stream, await this.foldOn(decider, stream, known, signal), since)
    if (signal) return this.keep(decider, stream, await this.readCold(decider, stream, signal), since)
    const begun = this.loading.get(stream) as Promise<Folded<S>> | undefined
    if (!begun) return this.loadShared(decider, stream)
    const folded = await begun
    return fresh ? this.load(decider, stream, fresh) : folded
  }

  /** Whoever comes while it is read waits for the same: a stream that takes longer than a sender waits is read once, and there for the next. */
  private loadShared<S>(decider: Folding<S>, stream: string): Promise<Folded<S>> {
    const since = this.deps.cache.forgotten
    const loading: Promise<Folded<S>> = this.readCold(decider, stream)
      .then((folded) => this.keep(decider, stream, folded, since))
      .finally(() => this.loading.get(stream) === loading && this.loading.delete(stream))
    this.loading.set(stream, loading)
    return loading
  }

  /** Nobody joins what is being read of streams that name the subject. */
  forget(subject: string): void {
    for (const stream of this.loading.keys()) if (stream.includes(subject)) this.loading.delete(stream)
  }

  private async readCold<S>(decider: Folding<S>, stream: string, signal?: AbortSignal): Promise<Folded<S>> {
    const snapshot = await this.fromSnapshot(decider, stream, signal)
    return snapshot ?? (await this.foldOn(decider, stream, beginning(decider), signal))
  }

  /** Remembers the fold, unless a subject of it was forgotten `since`; the snapshot that may be due is written later. */
  keep<S>(decider: Folding<S>, stream: string, folded: Folded<S>, since: number): Folded<S> {
    const { cache, snapshots } = this.deps
    if (cache.isForgotten(stream, since)) return folded
    const end = folded.revision + 1
    const isDue = decider.snapshot && end - folded.older.end >= snapshots.every
    const kept = isDue ? indexed(folded, end) : folded
    cache.set(stream, kept)
    if (isDue) snapshots.offer(stream, decider.snapshot!, kept)
    return kept
  }

  /** The mark of a command that is in the stream. */
  async findCommand(stream: string, folded: Folded<unknown>, commandId: string): Promise<CommandMark | undefined> {
    const mark = folded.commands.get(commandId)
    if (mark) return mark
    for (const { revision, count } of folded.older.find(commandId)) {
      const stored = await this.deps.log.read(stream, revision, undefined, count)
      if (stored[0]?.metadata.commandId !== commandId) continue
      return { revision, count, commandHash: stored[0].metadata.fingerprint as string | undefined }
    }
    return undefined
  }

  /** Null where there is none that fits the log. */
  private async fromSnapshot<S>(decider: Folding<S>, stream: string, signal?: AbortSignal): Promise<Folded<S> | null> {
    const { log, snapshots } = this.deps
    const snapshot = decider.snapshot && (await snapshots.find(stream, decider.snapshot, signal))
    if (!snapshot) return null
    const { state, revision, anchor, commands: older } = snapshot
    let folded: Folded<S> | null = null
    for await (const page of log.pages(stream, revision, signal)) {
      const [first, ...rest] = page
      if (folded) folded = await this.fold(decider, folded, page)
      else if (first && anchorOf(first) === anchor)
        folded = await this.fold(
          decider,
          { state, revision, position: first.position, older, commands: new Map() },
          rest,
        )
      else break
    }
    if (folded) return folded
    await snapshots.remove(stream, anchor)
    return null
  }

  private async foldOn<S>(
    decider: Folding<S>,
    stream: string,
    start: Folded<S>,
    signal?: AbortSignal,
  ): Promise<Folded<S>> {
    let folded = start
    for await (const page of this.deps.log.pages(stream, start.revision + 1, signal))
      folded = await this.fold(decider, folded, page)
    return folded
  }

  private async fold<S>(
    { evolve, ignores = [], impersonal }: Folding<S>,
    start: Folded<S>,
    stored: readonly StoredEvent[],
  ): Promise<Folded<S>> {
    const last = stored[stored.length - 1]
    if (!last) return start
    const { codec } = this.deps
    const needed = stored.filter(({ type }) => !ignores.includes(type))
    let { state } = start
    for (let from = 0; from < needed.length; from += DECODED_AT_ONCE) {
      if (from > 0) await others()
      const part = needed.slice(from, from + DECODED_AT_ONCE)
      const events = impersonal ? codec.decodeClear(part) : await codec.decode(part)
      state = events.reduce(evolve, state)
    }
    mark(start.commands, stored)
    return { ...start, state, revision: last.revision, position: last.position }
  }
}

const beginning = <S>({ initial }: Folding<S>): Folded<S> => ({
  state: initial,
  revision: -1,
  position: START,
  older: CommandIndex.EMPTY,
  commands: new Map(),
})

function mark(commands: Folded<unknown>['commands'], stored: readonly StoredEvent[]): void {
  for (const { metadata, revision } of stored) {
    const commandId = metadata.commandId as string
    const commandHash = metadata.fingerprint as string | undefined
    const known = commands.get(commandId)
    // Another load of the stream may add the same event to the map that they share.
    commands.set(
      commandId,
      known ? { ...known, count: revision - known.revision + 1 } : { revision, count: 1, commandHash },
    )
  }
}

/** With its commands in the index alone. What another load has marked behind its end is read again from there. */
const indexed = <S>(folded: Folded<S>, end: number): Folded<S> => ({
  ...folded,
  older: folded.older.upTo(end, folded.commands),
  commands: new Map(),
})
