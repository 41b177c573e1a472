/** What every form gets back. The browser shows it; nothing in it was secret. */
export type FormReply<Done = unknown> = {
  /** Of the HTTP answer; below 400 the form was done. */
  readonly status: number
  /** Field to what is wrong with it, in words; the empty name stands for the form as a whole. */
  readonly fields: Readonly<Record<string, string>>
  /** What was typed, by field: never a password, a link or a file. */
  readonly values: Readonly<Record<string, readonly string[]>>
  /** Which form of the page this is about, by its intent or section. */
  readonly form?: string | undefined
  /** The reason in snake case, for a page that acts on it. */
  readonly code?: string | undefined
  /** How long to wait, where waiting helps. */
  readonly retryInMs?: number | undefined
  /** The form was not even tried: too much came from its address, or what it needs is away. */
  readonly unavailable?: true | undefined
  /** What came of it, for a form that stays on its page. */
  readonly done?: Done | undefined
}

/** What is wrong, as one sentence for a toast or a banner; null for a form that was done. */
export function errorIn(reply: FormReply | null | undefined): string | null {
  return reply ? (Object.values(reply.fields)[0] ?? null) : null
}

/** HTML constraints of a field, as the server's schema has them. */
export type Constraint = {
  readonly required?: boolean
  readonly minLength?: number
  readonly maxCharacters?: number
  readonly min?: string | number
  readonly max?: string | number
  readonly step?: string | number
  readonly multiple?: boolean
  readonly pattern?: string
}
export type Constraints = Readonly<Record<string, Constraint>>

type FormParts = {
  readonly reply?: FormReply | null | undefined
  /** Of the loader, for attributes such as `min`. */
  readonly constraints?: Constraints
  /** The value of a field that nobody typed into. */
  readonly defaults?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Goes before the ids of its fields, where something else on the page has the name of one. */
  readonly prefix?: string
}

/** The list of each error, the same for each look at one: equal words of another reply are another error. */
const lists = new WeakMap<FormReply, Record<string, readonly string[]>>()

function errorOf(reply: FormReply | null | undefined, name: string): readonly string[] | null {
  const words = reply?.fields[name]
  if (!reply || !words) return null
  const known = lists.get(reply) ?? {}
  lists.set(reply, known)
  known[name] ??= [words]
  return known[name]
}

/** What `formOf` gives to the components of a form. */
export type FormState = ReturnType<typeof formOf>

/** The fields of a form with what was typed, what is wrong and what may be typed. */
export function formOf({ reply, constraints = {}, defaults = {}, prefix = '' }: FormParts) {
  // A box that nobody ticks is not sent: once something was typed, what is stored counts for no field.
  const shown = reply && Object.keys(reply.values).length > 0 ? reply.values : defaults
  const listOf = (name: string): readonly string[] => {
    const values = shown[name] ?? []
    return typeof values === 'string' ? [values] : values
  }
  const idOf = (name: string) => prefix + name
  return {
    reply,
    idOf,
    /** For the summary at the top, by the ids of the fields. */
    errors: Object.fromEntries(Object.entries(reply?.fields ?? {}).map(([name, error]) => [name && idOf(name), error])),
    /** A field of one value. */
    field(name: string) {
      const { required, multiple: _multiple, ...attributes } = constraints[name] ?? {}
      const error = reply?.fields[name]
      return {
        name,
        ...(prefix && { id: idOf(name) }),
        ...attributes,
        ...(required === false && { optional: true as const }),
        ...(error && { error }),
        defaultValue: listOf(name)[0] ?? '',
      }
    },
    /** A field of any number of values: boxes, chips. */
    values: listOf,
    error: (name: string) => errorOf(reply, name),
  }
}
