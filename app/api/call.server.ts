import type { z } from 'zod'
import type { RateClass } from '../../services/limits/rates.ts'
import { done } from '../../usecases/outcome.ts'
import type { RequestContext } from '../request/context.server.ts'
import type { Answer, Refusal } from './answer.ts'
import { type ActingOf, type Caller, type CallerOf, findCaller } from './caller.server.ts'
import { checkInput, type InvalidWords, type OptionalSchema, type Parsed, readBody } from './input.server.ts'
import { refusalResponse } from './refusal.server.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a call is given: everything in it is checked. `commandId` is the same for every repeat of a keyed write. */
export type CallInput<
  C extends Caller,
  P extends OptionalSchema,
  Q extends OptionalSchema,
  B extends OptionalSchema,
> = {
  readonly context: RequestContext
  readonly request: Request
  readonly me: CallerOf[C]
  readonly acting: ActingOf[C]
  readonly params: Parsed<P>
  readonly query: Parsed<Q>
  readonly body: Parsed<B>
  readonly commandId: string
  /** For a handler that reads the body itself, once it has. Throws the answer to a caller who may not act any more. */
  readonly stillAdmitted: () => Promise<void>
}

/** `headers` go with an answer of success. */
export type CallAnswer<T> = Answer<T> | { readonly ok: true; readonly value: T; readonly headers: HeadersInit }

/** Some sentences name a limit that the operator sets. */
export type Limits = { readonly passwordMin: number }
export type Refusals = readonly Refusal[] | ((limits: Limits) => readonly Refusal[])

export type CallSpec<
  C extends Caller,
  P extends OptionalSchema,
  Q extends OptionalSchema,
  B extends OptionalSchema,
  A extends z.ZodType,
> = {
  /** The row of the contract. */
  readonly id: string
  readonly method: Method
  /** Below `/api`, with `:name` for a parameter. */
  readonly path: `/${string}`
  readonly summary: string
  readonly caller: C
  /** The class that each call takes from before it is run. */
  readonly rate?: RateClass
  /** The classes that what it runs takes from. */
  readonly takes?: readonly RateClass[]
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  /** The body as it is to be written, where what the call runs checks more of it than `body`. */
  readonly described?: z.ZodType
  /** `multipart`: the handler reads the body; `either`: it also takes JSON. */
  readonly form?: 'multipart' | 'either'
  /** What an answer of success holds; nothing else leaves the server. */
  readonly answer: A
  /** What an answer of success carries beside the headers of every answer, and what for. */
  readonly carries?: Readonly<Record<string, string>>
  /** Refusals beside those that every call of its kind has. */
  readonly refusals?: Refusals
  /** Words instead of "Invalid request.", perhaps by what is wrong, and instead of "Not found". */
  readonly invalid?: InvalidWords
  readonly unknown?: string
  /** Stands in every refusal beside the error. */
  readonly beside?: Readonly<Record<string, false>>
  /** A look at the body before it is checked; answers why the caller may not go on. */
  readonly admit?: (me: CallerOf[C], body: unknown) => Answer<null>
  /** What it answers is good once: it is never answered again from a store. */
  readonly once?: true
  readonly handle: (input: CallInput<C, P, Q, B>) => Promise<CallAnswer<z.input<A>>>
}

/** What of a request a call is given, and what the router must know of the caller. */
export type Asked = {
  readonly context: RequestContext
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
}
export type Prepared = {
  readonly me: CallerOf[Caller]
  /** The body as text; null for a call without one, and for a form. */
  readonly text: string | null
  readonly run: (commandId: string) => Promise<CallAnswer<unknown>>
}

/** A declared call. `prepare` finds the caller and checks every part of the input, so that `run` can only be right. */
export type Call = Omit<
  CallSpec<Caller, OptionalSchema, OptionalSchema, OptionalSchema, z.ZodType>,
  'handle' | 'admit'
> & {
  readonly prepare: (asked: Asked) => Promise<Answer<Prepared>>
}

/** Declares a call; the types of its input follow from its schemas. */
export function defineCall<
  C extends Caller,
  A extends z.ZodType,
  P extends OptionalSchema = undefined,
  Q extends OptionalSchema = undefined,
  B extends OptionalSchema = undefined,
>({ handle, admit, ...facts }: CallSpec<C, P, Q, B, A>): Call {
  const find = findCaller(facts.caller)
  /** A body takes as long as its sender likes: their session may end before its last bytes. */
  const findAgain = ({ context, request }: Pick<Asked, 'context' | 'request'>) => {
    context.lookAgain()
    return find(context, request)
  }
  return {
    ...facts,
    async prepare({ context, request, params }) {
      const early = await find(context, request)
      if (!early.ok) return early
      const sent = await readBody(facts, request)
      if (!sent.ok) return sent
      const caller = sent.value && !context.arrivedWhole?.() ? await findAgain({ context, request }) : early
      if (!caller.ok) return caller
      const { me, acting } = caller.value
      const admitted = sent.value && admit ? admit(me, sent.value.json) : done(null)
      if (!admitted.ok) return admitted
      const checked = checkInput<P, Q, B>(facts, { url: new URL(request.url), params, sent: sent.value })
      if (!checked.ok) return checked
      const stillAdmitted = async () => {
        const again = await findAgain({ context, request })
        if (!again.ok) throw refusalResponse(again, facts)
      }
      const given = { context, request, me, acting, stillAdmitted, ...checked.value }
      const run = (commandId: string) => handle({ ...given, commandId })
      return done({ me, text: sent.value?.text ?? null, run })
    },
  }
}
