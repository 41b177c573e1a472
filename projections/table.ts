export type Scalar = string | number | boolean | Date | null
/** A row holds scalars and JSON; text that orders or compares as the log does is `collate "C"`. */
export type Row = { readonly [column: string]: Scalar | readonly unknown[] | object }

/** One table of a projection: the engine makes it from this, in the schema of its version. */
export type Table<R extends object = object> = {
  /** snake_case, singular; pages read it as the view `read.<name>`. */
  readonly name: string
  /** Column name to SQL type, with `not null` where it holds. */
  readonly columns: { readonly [column in keyof R & string]: string }
  readonly key: readonly (keyof R & string)[]
  /**
   * Columns of members' own words that no query picks rows by: Postgres takes no samples of them, which outlive a row.
   */
  readonly unsampled?: readonly (keyof R & string)[]
  /**
   * A timestamptz column: a row whose time has passed is no row. The clock is that of events, so that tables are the same at the
   * same position; the engine makes an index by it. Null never passes.
   */
  readonly expires?: keyof R & string
  /**
   * Each event adds rows of its own by `put`, and nothing changes or removes them: a filling copies them and keeps none in memory.
   */
  readonly appended?: true
  /** Made after filling. `on` is the text in the parentheses, `serves` names the query. */
  readonly indexes?: readonly { readonly on: string; readonly serves: string; readonly where?: string }[]
}

/** A table of whatever rows, as the engine sees it. */
export type AnyTable = {
  readonly name: string
  readonly columns: Readonly<Record<string, string>>
  readonly key: readonly string[]
  readonly unsampled?: readonly string[]
  readonly expires?: string
  readonly appended?: true
  readonly indexes?: readonly { readonly on: string; readonly serves: string; readonly where?: string }[]
}
