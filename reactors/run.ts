import { once } from 'node:events'
import type pg from 'pg'
import type { RecordedEvent } from '../domain/all-events.ts'
import type { Position } from '../domain/shared/recorded.ts'
import { askedUntil } from '../eventstore/asked-until.ts'
import { type Codec, isOfLaterRelease, TooNewEvent, UndecodableEvent } from '../eventstore/codec.ts'
import type { CommandContext } from '../eventstore/dispatch.ts'
import { createFeed, type Feed } from '../eventstore/feed.ts'
import { uuidFrom } from '../eventstore/ids.ts'
import type { Log } from '../eventstore/log.ts'
import { pause } from '../eventstore/retry.ts'
import {
  type Effect,
  effectDone,
  effectFailed,
  giveBackEffects,
  nextEffect,
  oweEffects,
  oweGivenUp,
  reactorPosition,
  renewEffect,
  takeEffects,
} from './effects.ts'
import type { AnyReactor } from './reactor.ts'
import { createWaits, nameOf } from './waits.ts'

export type ReactorsDeps<Act> = {
  readonly log: Log
  /** The process' shared feed; without it the reactors open one of their own. */
  readonly feed?: Feed
  readonly codec: Codec
  readonly pool: pg.Pool
  readonly reactors: readonly AnyReactor<Act>[]
  /** What reactors may do: dispatch, mail, media. */
  readonly act: Act
  /** Whether the mail server takes mails. While it does not, what `mails` waits and is not tried. */
  readonly mailIsUp?: () => Promise<boolean>
  /** How long one goes on while others wait, and how long it is sure to have what it took; tests lower both. */
  readonly roundMs?: number
  readonly renewMs?: number
  /** How long a reactor that meets nothing of its own leaves its checkpoint behind; tests lower it. */
  readonly noteMs?: number
  /** Gets the reactor and the event's id, never its content. */
  readonly report: (level: 'warn' | 'error', text: string, fields: Readonly<Record<string, string | number>>) => void
}

/** Runs reactors in any number of processes at once: each event is noted once, and taken by one of them at a time. */
export type Reactors = {
  /** Resolves once each knows where it starts, in whichever log: before a start writes to it, so that they meet what it writes. */
  place(): Promise<void>
  /** Places those that are not placed yet. */
  start(): Promise<void>
  /**
   * Does what a reactor owes, by this process or by one that died, until nothing is due, or for a round. Answers in how many
   * milliseconds there is more to do.
   */
  perform(name: string, signal: AbortSignal): Promise<number | null>
  /** Whether it waits for a mail server. */
  mails(name: string): boolean
  /** Whether one of them stands before a type of a later release. */
  outgrown(): boolean
  stop(): Promise<void>
}

/** To a process that knows the reactor: one of a later release. */
const ELSEWHERE_MS = 10_000
const AT_ONCE = 16
/** A mail server that is away is asked again after this long. */
const MAIL_AWAY_MS = 15_000
/** Others have their turn then, and come back sooner than a lease ends. */
const ROUND_MS = 10_000
/** So long a stop waits for what is under way: a mail server may be silent. Its lease ends, and another process does it. */
const LEAVE_MS = 2_000
/** Most events concern no reactor: the checkpoint stays behind by as many, which the next start looks at again. */
const LOOKED_AT_AGAIN = 1_000
const LOOKED_AT_AGAIN_MS = 60_000
/** A small part of the lease of what was taken. */
const RENEW_MS = 1_000
/** With a wait that doubles up to an hour this is about two days. */
const TRIES = 60

export function createReactors<Act>(deps: ReactorsDeps<Act>): Reactors {
  const { pool, reactors } = deps
  const feed = deps.feed ?? createFeed(deps.log)
  const stopped = new AbortController()
  const { signal } = stopped
  const log = askedUntil(signal, deps.log)
  const byName = new Map(reactors.map((reactor) => [reactor.name, reactor]))
  const { noteMs = LOOKED_AT_AGAIN_MS } = deps
  const watching = { pool, feed, log, signal, noteMs, been: new Map(), notedAt: new Map() }
  let running: Promise<unknown> = Promise.resolve()
  let placed = false
  const { onward, outgrown } = createWaits(signal, deps.report)

  async function place(): Promise<void> {
    for (const { name } of reactors) await reactorPosition(pool, name, log)
    placed = true
  }

  return {
    place,
    async start() {
      if (!placed) await place()
      // An event that could not be read may be by now.
      for (const { name, untilDone } of reactors) if (untilDone) await oweGivenUp(pool, name)
      running = Promise.all(reactors.map((reactor) => onward((gotOn) => watch(watching, reactor, gotOn), reactor.name)))
    },
    async perform(name, stopping) {
      const reactor = byName.get(name)
      if (!reactor) return ELSEWHERE_MS
      const round: Round = { stopping, endsAt: performance.now() + (deps.roundMs ?? ROUND_MS) }
      const asking = { ...deps, log: askedUntil(stopping, deps.log) }
      while (!isOver(round)) {
        if (await waitsForMail(deps, reactor, stopping)) return later(await nextEffect(pool, name))
        const due = await takeEffects(pool, [name], AT_ONCE)
        if (due.length === 0) break
        await performAll(asking, reactor, due, round)
      }
      return nextEffect(pool, name)
    },
    mails: (name) => byName.get(name)?.mails ?? false,
    outgrown: () => outgrown.size > 0,
    async stop() {
      stopped.abort()
      await running
      if (!deps.feed) await feed.close()
    },
  }
}

/** A try has an end, which an outage of days would bring: none is made while nobody can have mail. */
async function waitsForMail<Act>(
  { mailIsUp }: ReactorsDeps<Act>,
  { mails }: AnyReactor<Act>,
  stopping: AbortSignal,
): Promise<boolean> {
  if (mails !== true || mailIsUp === undefined) return false
  // A mail server may be silent for longer than a stop waits.
  let stop = () => {}
  const stopped = new Promise<boolean>((resolve) => {
    stop = () => resolve(false)
    stopping.addEventListener('abort', stop)
    if (stopping.aborted) stop()
  })
  const isUp = await Promise.race([mailIsUp(), stopped])
  stopping.removeEventListener('abort', stop)
  return !isUp
}

const later = (ms: number | null): number | null => (ms === null ? null : Math.max(ms, MAIL_AWAY_MS))

/** `been`: up to where each reactor has been; `notedAt`: when it last noted that, for the next try after a failure, too. */
type Watching = {
  readonly pool: pg.Pool
  readonly feed: Feed
  readonly log: Log
  readonly signal: AbortSignal
  readonly noteMs: number
  readonly been: Map<string, Position>
  readonly notedAt: Map<string, number>
}

/** Notes what the log brings, from the reactor's checkpoint on, until another process moves that. Throws at a type of a later release. */
async function watch<Act>(
  { pool, feed, log, signal, noteMs, been, notedAt }: Watching,
  { name, on }: AnyReactor<Act>,
  gotOn: () => void,
): Promise<void> {
  const wanted = new Set<string>(on)
  // What comes again after a failure is none.
  const isProgress = (position: Position) => position > (been.get(name) ?? '')
  const reach = (position: Position) => {
    been.set(name, position)
    gotOn()
  }
  let from = await reactorPosition(pool, name, log)
  // Another process has moved it.
  if (isProgress(from)) reach(from)
  let seen = from
  let passed = 0
  let movedAt = notedAt.get(name) ?? performance.now()
  notedAt.set(name, movedAt)
  for await (const batch of feed.follow(from, signal)) {
    const tooNew = batch.find((event) => !wanted.has(event.type) && isOfLaterRelease(event))
    const known = tooNew ? batch.slice(0, batch.indexOf(tooNew)) : batch
    const events = known.filter(({ type }) => wanted.has(type))
    passed += known.length
    seen = known[known.length - 1]?.position ?? seen
    const late = tooNew || passed >= LOOKED_AT_AGAIN || performance.now() - movedAt > noteMs
    if (seen > from && (events.length > 0 || late)) {
      if (!(await oweEffects(pool, name, { from, to: seen, events }))) return
      reach(seen)
      from = seen
      ;[passed, movedAt] = [0, performance.now()]
      notedAt.set(name, movedAt)
    } else if (isProgress(seen)) reach(seen)
    // To that release it is news.
    if (tooNew) throw new TooNewEvent(`${tooNew.type} ${tooNew.id} is of a later release`)
  }
  // A release that follows may know the reactor by other types, to which what was passed is no news.
  if (seen > from) await oweEffects(pool, name, { from, to: seen, events: [] })
}

type Round = { readonly stopping: AbortSignal; readonly endsAt: number }
const isOver = ({ stopping, endsAt }: Round) => stopping.aborted || performance.now() >= endsAt

/** One after the other. Those before it may take long: each has to be this process' still. */
async function performAll<Act>(
  deps: ReactorsDeps<Act>,
  reactor: AnyReactor<Act>,
  taken: readonly Effect[],
  round: Round,
): Promise<void> {
  const sureUntil = performance.now() + (deps.renewMs ?? RENEW_MS)
  for (const [begun, effect] of taken.entries()) {
    if (isOver(round)) return giveBackEffects(deps.pool, taken.slice(begun))
    if (performance.now() < sureUntil || (await renewEffect(deps.pool, effect)))
      await leftAt(round.stopping, perform(deps, reactor, effect))
  }
}

/** Resolves with the work, or soon after the signal has ended. */
async function leftAt(stopping: AbortSignal, work: Promise<void>): Promise<void> {
  const done = new AbortController()
  const left = async () => {
    if (!stopping.aborted) await once(stopping, 'abort', { signal: done.signal }).catch(() => undefined)
    await pause(LEAVE_MS, done.signal)
  }
  await Promise.race([work, left()]).finally(() => done.abort())
}

async function perform<Act>(deps: ReactorsDeps<Act>, reactor: AnyReactor<Act>, effect: Effect): Promise<void> {
  let event: RecordedEvent | undefined
  try {
    event = await readEvent(deps, effect)
    await reactor.react(event as never, deps.act, contextOf(reactor.name, event))
  } catch (error) {
    // What the reaction itself cannot read may be another event, and readable one day.
    const unreadable = !event && error instanceof UndecodableEvent && !(error instanceof TooNewEvent)
    return failed(deps, reactor, effect, { error, unreadable })
  }
  await effectDone(deps.pool, effect)
}

async function readEvent({ log, codec }: Pick<ReactorsDeps<unknown>, 'log' | 'codec'>, effect: Effect) {
  const stored = (await log.read(effect.stream, effect.revision, undefined, 1))[0]
  if (stored?.id !== effect.event_id) throw new UndecodableEvent('the log holds another event at its position')
  const [event] = await codec.decode([stored])
  return event!
}

type Failure = { readonly error: unknown; readonly unreadable: boolean }

async function failed<Act>(
  { pool, report }: ReactorsDeps<Act>,
  { name, untilDone }: AnyReactor<Act>,
  effect: Effect,
  { error, unreadable }: Failure,
): Promise<void> {
  const late = effect.tries >= TRIES
  // A later release will run again, however long this one does.
  const giveUp = unreadable || (late && !untilDone && !(error instanceof TooNewEvent))
  const fields = { reactor: name, event: effect.event_id, tries: effect.tries, why: nameOf(error) }
  report(late || giveUp ? 'error' : 'warn', giveUp ? 'a reactor gave up on an event' : 'a reactor tries again', fields)
  await effectFailed(pool, effect, nameOf(error), giveUp)
}

/** The same for the same reactor and event, so that a second time is a repeat. */
function contextOf(name: string, { id, meta }: RecordedEvent): CommandContext {
  return {
    commandId: uuidFrom(name, id),
    actor: `reactor:${name}`,
    correlationId: meta.correlationId,
    causationId: id,
  }
}
