import type { z } from 'zod'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { RateClass } from '../../services/limits/rates.ts'
import type { MediaOwner } from '../../services/media/records.ts'
import type { Answer } from '../../usecases/answer.ts'
import type { Acting, SignedIn, Viewer } from '../../usecases/ports.ts'
import type { RequestContext } from '../request/context.server.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call (api-contract §6.0). `account`: any live session that is not suspended. `uploader`: a member, or a
 * visitor whose bearer token is a sign-up proof. `member`: an active one.
 */
export type CallerOf = { anyone: null; account: Viewer; uploader: MediaOwner; member: MemberId }
/** The same as they act; a visitor with a proof does not act yet. */
export type ActingOf = {
  anyone: null
  account: SignedIn & RequestContext
  uploader: Acting | null
  member: Acting & RequestContext
}
export type Caller = keyof CallerOf

type Parsed<S> = S extends z.ZodType ? z.output<S> : Record<never, never>
type Shape = z.ZodType | undefined

/** What a call is given: everything in it is checked. `commandId` is the same for every repeat of a keyed write. */
export type CallInput<C extends Caller, P extends Shape, Q extends Shape, B extends Shape> = {
  readonly context: RequestContext
  readonly request: Request
  readonly me: CallerOf[C]
  readonly acting: ActingOf[C]
  readonly params: Parsed<P>
  readonly query: Parsed<Q>
  readonly body: Parsed<B>
  readonly commandId: string
}

/** `headers` go with an answer of success. */
export type CallAnswer<T> = Answer<T> | { readonly ok: true; readonly value: T; readonly headers: HeadersInit }

export type CallSpec<C extends Caller, P extends Shape, Q extends Shape, B extends Shape, A extends z.ZodType> = {
  /** The row of the contract. */
  readonly id: string
  readonly method: Method
  /** Below `/api`, with `:name` for a parameter. */
  readonly path: `/${string}`
  readonly summary: string
  readonly caller: C
  /** The class that each call takes from; classes of the command itself are taken by its action. */
  readonly rate?: RateClass
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  /** `multipart`: the handler reads the body; `either`: it also takes JSON. */
  readonly form?: 'multipart' | 'either'
  /** What an answer of success holds; nothing else leaves the server. */
  readonly answer: A
  /** Statuses of refusals beside those that every call of its kind has. */
  readonly refusals?: readonly number[]
  /** Words instead of "Invalid request." and "Not found". */
  readonly invalid?: string
  readonly unknown?: string
  /** Stands in every refusal beside the error. */
  readonly beside?: Readonly<Record<string, unknown>>
  /** A look at the body before it is checked; answers why the caller may not go on. */
  readonly admit?: (me: CallerOf[C], body: unknown) => Answer<null>
  readonly handle: (input: CallInput<C, P, Q, B>) => Promise<CallAnswer<z.input<A>>>
}

/** A call whose own types do not matter to its reader. */
export type Call = Omit<CallSpec<Caller, Shape, Shape, Shape, z.ZodType>, 'handle' | 'admit'> & {
  readonly handle: (input: never) => Promise<CallAnswer<unknown>>
  readonly admit?: (me: never, body: unknown) => Answer<null>
}

/** Declares a call; the types of its input follow from its schemas. */
export function defineCall<
  C extends Caller,
  A extends z.ZodType,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
>(spec: CallSpec<C, P, Q, B, A>): Call {
  return spec
}
