import type { RecordedEvent } from '../domain/all-events.ts'
import type { MemberId } from '../domain/shared/ids.ts'
import { untilAnswered, withTimeout } from '../eventstore/retry.ts'
import { frameOf } from './connection.ts'
import type { EventFrame } from './protocol.ts'
import { namesFor, pushesOf, silentPushesOf } from './pushes/all-pushes.ts'
import type { Names, Push } from './pushes/push.ts'
import type { Item } from './ring/ring.ts'
import { isAnswer, isRoomless } from './silent.ts'
import type { EventSource } from './source.ts'

const NAMES_WITHIN_MS = 1_000
/** Look-ups that nobody waits for any more go on: more of them at a time would take the connections of pages. What comes meanwhile goes together. */
const LOOK_UPS_MOST = 4
const NO_NAMES: Names = new Map()

type Items = ReadonlyMap<MemberId, readonly Item[]>
/** Whom an event is pushed to, and what: later where something has to be looked up. It rejects when the node stops. */
export type Ready = { readonly to: readonly MemberId[]; readonly items: Items | Promise<Items> }

export type PreparingDeps = {
  readonly source: EventSource
  readonly namesOf: (members: readonly MemberId[]) => Promise<Names>
  readonly logLine: (line: string) => void
  readonly signal: AbortSignal
  /** An event could not be made into a push. */
  readonly failed: (event: RecordedEvent, error: unknown) => void
}

type Context = {
  readonly names: Promise<Names> | null
  /** What follows the event in the log, if that is known yet. */
  readonly next: RecordedEvent | undefined
  /** Whether the pair of a block had a room, if that is known. */
  readonly hadRoom: boolean | undefined
}

/** Makes events into pushes; what these need is looked up beside the batch. */
export class Preparing {
  private readonly asked = new Set<Promise<void>>()
  private waiting: { readonly wanted: Set<MemberId>; readonly names: Promise<Names> } | null = null

  constructor(private readonly deps: PreparingDeps) {}

  /** Without an answer in time the news goes out without the name; the page reads it from its loader. */
  names(events: readonly RecordedEvent[]): Promise<Names> | null {
    const wanted = new Set(events.flatMap(namesFor))
    if (wanted.size === 0) return null
    return withTimeout(this.lookUp(wanted), NAMES_WITHIN_MS).catch(() => NO_NAMES)
  }

  private lookUp(wanted: ReadonlySet<MemberId>): Promise<Names> {
    if (this.asked.size < LOOK_UPS_MOST) return this.ask(wanted)
    const waiting = this.waiting ?? {
      wanted: new Set<MemberId>(),
      names: Promise.race(this.asked).then(() => this.askNext()),
    }
    for (const member of wanted) waiting.wanted.add(member)
    this.waiting = waiting
    return waiting.names
  }

  /** For all who have come while it was waited for. */
  private askNext(): Promise<Names> {
    const { wanted } = this.waiting!
    this.waiting = null
    return this.ask(wanted)
  }

  private ask(wanted: ReadonlySet<MemberId>): Promise<Names> {
    const names = this.deps.namesOf([...wanted])
    const ended = names.then(
      () => void this.asked.delete(ended),
      () => void this.asked.delete(ended),
    )
    this.asked.add(ended)
    return names
  }

  of(event: RecordedEvent, context: Context): Ready {
    const to = [...new Set(pushesOf(event, NO_NAMES).flatMap((push) => push.to))]
    const silent = to.length > 0 && this.silent(event, context)
    const names = namesFor(event).length > 0 ? context.names : null
    if (silent === true) return this.made(event, silentPushesOf(event))
    if (!silent && !names) return { to, items: this.itemsOf(event, NO_NAMES) }
    const items = Promise.all([silent, names]).then(([isSilent, found]) =>
      isSilent ? this.made(event, silentPushesOf(event)).items : this.itemsOf(event, found ?? NO_NAMES),
    )
    return { to, items }
  }

  /** Whether the event is no news. A block's room is known by its stream where nobody here has to do with it. */
  private silent(event: RecordedEvent, { next, hadRoom }: Context): boolean | Promise<boolean> {
    const { source } = this.deps
    if (event.type === 'Buzzed') return this.certain(() => isAnswer(event, next, source))
    if (event.type !== 'Blocked') return false
    return hadRoom === undefined ? this.certain(() => isRoomless(event, source)) : !hadRoom
  }

  /** Asks again until there is an answer. */
  private certain(ask: () => boolean | Promise<boolean>): boolean | Promise<boolean> {
    const first = ask()
    if (typeof first === 'boolean') return first
    const { signal, logLine } = this.deps
    const again = async (attempt: number) => (attempt === 0 ? first : ask())
    return untilAnswered(again, () => logLine('realtime: a stream could not be looked at, again soon'), signal)
  }

  /** Pushes that are made already. */
  made(event: RecordedEvent, pushes: readonly Push[]): Ready {
    const items = pushes.flatMap((push) => push.to.map((member): [MemberId, Item[]] => [member, [itemOf(event, push)]]))
    return { to: items.map(([member]) => member), items: new Map(items) }
  }

  private itemsOf(event: RecordedEvent, names: Names): Items {
    const items = new Map<MemberId, Item[]>()
    try {
      for (const push of pushesOf(event, names)) {
        const item = itemOf(event, push)
        for (const member of push.to) items.set(member, [...(items.get(member) ?? []), item])
      }
    } catch (error) {
      this.deps.failed(event, error)
    }
    return items
  }
}

export function itemOf(event: RecordedEvent, push: Push): Item {
  const { name, id, data, about } = push
  const frame = { type: 'event', name, id, pos: event.position, at: event.recordedAt.toISOString(), data } as EventFrame
  return { pos: event.position, about, frame: frameOf(frame) }
}
