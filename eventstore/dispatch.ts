import { randomUUID } from 'node:crypto'
import type { DomainEvent } from '../domain/all-events.ts'
import type { Decider, Decision, Refused } from '../domain/shared/decider.ts'
import { ID_PATTERN } from '../domain/shared/id-pattern.ts'
import type { Position } from '../domain/shared/recorded.ts'
import type { Codec } from './codec.ts'
import { KeyDestroyed, type KeyRing } from './keys.ts'
import { type Log, RevisionConflict } from './log.ts'
import { createQueues } from './queues.ts'
import { AnswerLost, backOff, withTimeout } from './retry.ts'
import type { CommandMark } from './snapshots/command-index.ts'
import { noSnapshots, type Snapshots } from './snapshots/snapshots.ts'
import { type Folded, StateCache } from './state-cache.ts'
import { type Folding, StreamLoader } from './stream-loader.ts'

/** What a command came to. `position` is where its caller's read models must be to show it. */
export type Done<E> = {
  ok: true
  events: readonly E[]
  position: Position
  /** The command was in the log already: this is its first outcome. */
  repeated: boolean
}
/** `conflict`: others kept writing first, or somebody whom it names was erased meanwhile. `reused`: the command id is in the log with other content. */
export type Outcome<E, R extends string> = Done<E> | Refused<R | 'conflict' | 'reused'>

/** `same` is what makes two sends of one command id the same command; the command without its time when absent. */
export type CommandContext = {
  readonly commandId: string
  readonly actor: string
  readonly correlationId?: string
  readonly causationId?: string
  readonly same?: unknown
  /** Nobody acts after their erasure: a `conflict` once the key of the actor, a member, is destroyed. */
  readonly unlessErased?: boolean
  /**
   * How long its sender waits for an answer, its turn included; then AnswerLost. A command that comes to be written later is not
   * carried out; of one that is being written the outcome is open.
   */
  readonly withinMs?: number
}

/** Read, fold, decide, append at the revision read; a lost race decides again (ARCHITECTURE.md). */
export type Dispatch = <C extends { at: Date }, E extends DomainEvent, S, R extends string>(
  decider: Decider<C, E, S, R>,
  command: C,
  context: CommandContext,
) => Promise<Outcome<E, R>>

/**
 * Folds one stream in its current state, for rules that need a state of their own. Rejects with the signal's reason
 * when it aborts.
 */
export type LoadState = <C, E extends DomainEvent, S, R extends string>(
  decider: Decider<C, E, S, R>,
  id: string,
  signal?: AbortSignal,
) => Promise<S>

/**
 * Whether a command is in its stream already, so that sending it again writes nothing; where `wrote` is given, only if it wrote an
 * event of that type by that actor: whoever else reads the stream may learn of the id.
 */
export type IsRepeat = <C extends { at: Date }, E extends DomainEvent, S, R extends string>(
  decider: Decider<C, E, S, R>,
  command: C,
  commandId: string,
  wrote?: { readonly type: E['type']; readonly actor: string },
) => Promise<boolean>

const ATTEMPTS = 8
const CACHE_WEIGHT = 200_000

type Deps = {
  log: Log
  codec: Codec
  keys: KeyRing
  snapshots?: Snapshots
  cacheWeight?: number
}

export function createDispatch({ log, codec, keys, snapshots = noSnapshots, cacheWeight = CACHE_WEIGHT }: Deps): {
  dispatch: Dispatch
  loadState: LoadState
  isRepeat: IsRepeat
} {
  const cache = new StateCache(cacheWeight)
  const loader = new StreamLoader({ log, codec, cache, snapshots })
  keys.onForget((subject) => {
    cache.forget(subject)
    loader.forget(subject)
    snapshots.forget(subject)
  })
  const dispatcher = new Dispatcher(log, codec, keys, cache, loader)
  const inTurn = createQueues()
  return {
    dispatch: (decider, command, context) => {
      const { withinMs } = context
      const stream = `${decider.category}-${decider.streamId(command)}`
      if (withinMs === undefined) return inTurn(stream, () => dispatcher.settle(decider, command, context))
      const until = performance.now() + withinMs
      const settle = async () => {
        if (performance.now() >= until) throw new AnswerLost(`no turn in ${withinMs} ms`)
        // The turn is over with it, whatever it waits for: those behind it may meet what answers.
        return withTimeout(dispatcher.settle(decider, command, context, until), until - performance.now())
      }
      return withTimeout(inTurn(stream, settle), withinMs)
    },
    loadState: async (decider, id, signal) => {
      const folded = await loader.load(decider as never, `${decider.category}-${id}`, true, signal)
      return folded.state as never
    },
    isRepeat: async (decider, command, commandId, wrote) => {
      const stream = `${decider.category}-${decider.streamId(command)}`
      const folded = await loader.load(decider as never, stream, true)
      const mark = await loader.findCommand(stream, folded, commandId)
      if (!mark || !wrote) return mark !== undefined
      const stored = await log.read(stream, mark.revision, undefined, mark.count)
      return stored.some(({ type, metadata }) => type === wrote.type && metadata.actor === wrote.actor)
    },
  }
}

/** `until`: by the clock of the process; later nobody waits for it. */
type Attempted = CommandContext & { readonly until: number }

/** An append in the making: on what fold, and what comes after it. */
type Appending<S> = {
  readonly stream: string
  readonly folding: Folding<S>
  readonly folded: Folded<S>
  /** `StateCache.forgotten` as its fold was asked for. */
  readonly since: number
  readonly next: { readonly state: S; readonly commandHash: string | undefined }
}

class Dispatcher {
  constructor(
    private readonly log: Log,
    private readonly codec: Codec,
    private readonly keys: KeyRing,
    private readonly cache: StateCache,
    private readonly loader: StreamLoader,
  ) {}

  async settle<C extends { at: Date }, E extends DomainEvent, S, R extends string>(
    decider: Decider<C, E, S, R>,
    command: C,
    context: CommandContext,
    until = Number.POSITIVE_INFINITY,
  ): Promise<Outcome<E, R>> {
    for (let tries = 0; tries < ATTEMPTS; tries++) {
      const outcome = await this.attempt(decider, command, { ...context, until }, tries > 0)
      if (outcome !== 'again') return outcome
      if (tries > 1 && tries < ATTEMPTS - 1) await backOff(tries)
    }
    return { ok: false, reason: 'conflict' }
  }

  private async attempt<C extends { at: Date }, E extends DomainEvent, S, R extends string>(
    decider: Decider<C, E, S, R>,
    command: C,
    context: Attempted,
    fresh: boolean,
  ): Promise<Outcome<E, R> | 'again'> {
    const stream = `${decider.category}-${decider.streamId(command)}`
    const folding = decider as unknown as Folding<S>
    const since = this.cache.forgotten
    const [folded, commandHash] = await Promise.all([
      this.loader.load(folding, stream, fresh),
      this.commandHash(command, context),
    ])
    if (context.unlessErased && commandHash === undefined) return { ok: false, reason: 'conflict' }
    const mark = await this.loader.findCommand(stream, folded, context.commandId)
    if (mark) return this.repeat<E>(stream, mark, commandHash)
    const decision: Decision<E, R> = decider.decide(command, folded.state)
    const settled = !decision.ok || decision.events.length === 0
    if (settled && !fresh) return 'again'
    if (!decision.ok) return decision
    if (settled) return { ok: true, events: [], position: folded.position, repeated: false }
    const state = decision.events.reduce(decider.evolve, folded.state)
    return this.append({ stream, folding, folded, since, next: { state, commandHash } }, decision.events, context)
  }

  /** Only of members: what the product does by itself has no key that dies. */
  private async commandHash(command: { at: Date }, context: CommandContext): Promise<string | undefined> {
    const { actor } = context
    if (!ID_PATTERN.test(actor)) return undefined
    return this.keys.ensure([actor], (keys) => keys.keyedHash(actor, contentOf(command, context)))
  }

  private async append<E extends DomainEvent, S>(
    { stream, folding, folded, since, next }: Appending<S>,
    events: readonly E[],
    context: Attempted,
  ): Promise<Done<E> | Refused<'conflict'> | 'again'> {
    const { commandId, actor, correlationId = commandId, causationId = commandId } = context
    const { state, commandHash } = next
    const meta = { commandId, correlationId, causationId, actor, ...(commandHash && { fingerprint: commandHash }) }
    // Of this attempt alone: the log takes events whose ids it has for those it has, and another process may write the same command.
    const ids = events.map(() => randomUUID())
    try {
      const stored = await this.codec.encode(stream, events, ids, meta)
      if (performance.now() < context.until) {
        const { position } = await this.log.append(stream, folded.revision < 0 ? 'no_stream' : folded.revision, stored)
        const mark = { revision: folded.revision + 1, count: events.length, commandHash }
        const commands = folded.commands.set(commandId, mark)
        const revision = folded.revision + events.length
        this.loader.keep(folding, stream, { ...folded, state, revision, position, commands }, since)
        return { ok: true, events, position, repeated: false }
      }
    } catch (error) {
      this.cache.drop(stream)
      if (error instanceof RevisionConflict) return 'again'
      // Its subject was erased meanwhile, and stays so.
      if (error instanceof KeyDestroyed) return { ok: false, reason: 'conflict' }
      throw error
    }
    // Nothing was sent, and the fold is there for the next command.
    throw new AnswerLost('its time is over')
  }

  /** The first outcome of a command that is in the log already. */
  private async repeat<E extends DomainEvent>(
    stream: string,
    mark: CommandMark,
    commandHash: string | undefined,
  ): Promise<Done<E> | Refused<'reused'>> {
    if (mark.commandHash !== commandHash) return { ok: false, reason: 'reused' }
    const stored = await this.log.read(stream, mark.revision, undefined, mark.count)
    const events = await this.codec.decode(stored)
    const position = events[events.length - 1]!.position
    return { ok: true, events: events as unknown as E[], position, repeated: true }
  }
}

function contentOf(command: { at: Date }, context: CommandContext): string {
  const { at: _at, ...content } = command
  return JSON.stringify(context.same ?? content)
}
