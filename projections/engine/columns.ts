import type { AnyTable } from '../projection.ts'

/** A row as folds see it. */
export type AnyRow = Readonly<Record<string, unknown>>

/**
 * How a column's values are represented in memory and in transit: the same in a fold whether read from the database or
 * just made.
 */
export type Column = {
  readonly name: string
  readonly notNull: boolean
  /** Two values are equal, or in order, in memory where they are in the database. */
  readonly compares: boolean
  readonly ordered: boolean
  /** The element type of the array that carries many rows. */
  readonly carrier: string
  /** From the carrier's element to the column. */
  readonly unpack: (element: string) => string
  /** What a fold sees after a round trip; throws when the value does not fit the column. */
  readonly normal: (value: unknown) => unknown
  readonly pack: (value: unknown) => unknown
  /** As COPY takes a value that is not null. */
  readonly toCopy: (value: unknown) => string
}

type Kind = Pick<Column, 'carrier' | 'unpack' | 'normal' | 'pack' | 'toCopy'>

/** The row does not fit its table. The message names the column, never the value. */
export class MisfitRow extends Error {
  override name = 'MisfitRow'
}

const same = <T>(value: T): T => value
const fits = (ok: boolean, value: unknown) => {
  if (!ok) throw new MisfitRow('the value has another type')
  return value
}
const simple = (carrier: string, normal: Kind['normal']): Kind => ({
  carrier,
  unpack: same,
  normal,
  pack: same,
  toCopy: String,
})

const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
/** A text as COPY takes it; few need it. */
const escaped = (text: string) => (/[\\\n\r\t]/.test(text) ? text.replace(/[\\\n\r\t]/g, (one) => ESCAPED[one]!) : text)

/** Half a pair of surrogates becomes U+FFFD, as the client would make of it; within JSON it would be refused. */
const wellFormed = (value: unknown) => (value as string).toWellFormed()
const isText = (value: unknown) => typeof value === 'string'

const text = (carrier: string): Kind => ({
  ...simple(carrier, (value) => wellFormed(fits(isText(value), value))),
  toCopy: (value) => escaped(value as string),
})

function wholeTexts(value: unknown): unknown {
  fits(Array.isArray(value) && value.every(isText), value)
  const texts = value as readonly string[]
  return texts.every((one) => one.isWellFormed()) ? texts : texts.map(wellFormed)
}

/** Rows that were made of one event have the same time. */
function isoOfLast(): Kind['toCopy'] {
  let [last, iso]: [unknown, string] = [undefined, '']
  return (value) => {
    if (value !== last) [last, iso] = [value, (value as Date).toISOString()]
    return iso
  }
}

const whole = (carrier: string) => simple(carrier, (value) => fits(Number.isSafeInteger(value), value))

/** The SQL types a projection may use. A `date` is text, `bigint` a safe integer, JSON null is SQL null. */
const KINDS: Readonly<Record<string, Kind>> = {
  text: text('text'),
  uuid: text('uuid'),
  date: text('date'),
  boolean: simple('boolean', (value) => fits(typeof value === 'boolean', value)),
  smallint: whole('smallint'),
  integer: whole('integer'),
  bigint: whole('bigint'),
  'double precision': simple('double precision', (value) => fits(Number.isFinite(value), value)),
  timestamptz: {
    carrier: 'timestamptz',
    unpack: same,
    normal: (value) => fits(value instanceof Date && !Number.isNaN(value.getTime()), value),
    pack: (value) => (value as Date).toISOString(),
    toCopy: isoOfLast(),
  },
  jsonb: {
    carrier: 'text',
    unpack: (element) => `${element}::jsonb`,
    normal: (value) => JSON.parse(JSON.stringify(value)),
    pack: (value) => JSON.stringify(value),
    toCopy: (value) => escaped(JSON.stringify(value)),
  },
  'text[]': {
    carrier: 'text',
    unpack: (element) =>
      `case when ${element} is not null then array(select jsonb_array_elements_text(${element}::jsonb)) end`,
    normal: wholeTexts,
    pack: (value) => JSON.stringify(value),
    toCopy: (value) => escaped(`{${(value as string[]).map((one) => `"${one.replace(/[\\"]/g, '\\$&')}"`).join()}}`),
  },
}

const JSON_LIKE: readonly string[] = ['jsonb', 'text[]']

/** A table with its columns understood. */
export type TableLayout = {
  readonly name: string
  readonly columns: readonly Column[]
  readonly byName: ReadonlyMap<string, Column>
  readonly key: readonly string[]
  /** The column with the time that a row ends at. */
  readonly expires: string | undefined
}

const layouts = new WeakMap<AnyTable, TableLayout>()

/** Throws for a column of a type that does not round-trip, or a key that names no column. */
export function layoutOf(table: AnyTable): TableLayout {
  let layout = layouts.get(table)
  if (!layout) {
    const columns = Object.entries(table.columns).map(([name, type]) => columnOf(table.name, name, type))
    const byName = new Map(columns.map((column) => [column.name, column]))
    if (table.key.length === 0 || table.key.some((name) => !byName.has(name)))
      throw new Error(`${table.name} needs a key made of its columns`)
    const { expires } = table
    if (expires && byName.get(expires)?.carrier !== 'timestamptz')
      throw new Error(`${table.name} cannot expire by ${expires}`)
    layout = { name: table.name, columns, byName, key: table.key, expires }
    layouts.set(table, layout)
  }
  return layout
}

function columnOf(table: string, name: string, type: string): Column {
  const [, given = ''] = /^\s*(double precision|text\[\]|[a-z]+)(?![\w[(])/i.exec(type) ?? []
  const base = given.toLowerCase()
  const kind = KINDS[base]
  if (!kind) throw new Error(`${table}.${name}: a projection has no columns of type ${type}`)
  const compares = !JSON_LIKE.includes(base)
  const ordered = compares && (base !== 'text' || /collate "C"/i.test(type))
  return { name, notNull: /\bnot null\b/i.test(type), compares, ordered, ...kind, ...nullable(kind) }
}

const nullable = ({ normal, pack }: Kind): Pick<Kind, 'normal' | 'pack'> => ({
  normal: (value) => (value === null || value === undefined ? null : normal(value)),
  pack: (value) => (value === null ? null : pack(value)),
})

/**
 * The row as it comes back from the database: itself where it is so already. Values shared with `before` are known to be so.
 */
export function normalRow(layout: TableLayout, row: AnyRow, before?: AnyRow): AnyRow {
  let out: Record<string, unknown> | undefined
  for (const column of layout.columns) {
    const { name } = column
    const value = row[name]
    if (before && value === before[name]) continue
    const normal = normalValue(layout, column, value)
    if (normal === value) continue
    out ??= { ...row }
    out[name] = normal
  }
  const { columns } = layout
  if (Object.keys(out ?? row).length === columns.length) return out ?? row
  // A fold sees no more of a row than its columns.
  return Object.fromEntries(columns.map(({ name }) => [name, (out ?? row)[name]]))
}

/** One column's value as it comes back from the database. */
export function normalValue(
  layout: TableLayout,
  { name, notNull, normal }: Pick<Column, 'name' | 'notNull' | 'normal'>,
  value: unknown,
): unknown {
  let fitting: unknown
  try {
    fitting = normal(value)
  } catch {
    throw new MisfitRow(`${layout.name}.${name} does not fit its column`)
  }
  if (notNull && fitting === null) throw new MisfitRow(`${layout.name}.${name} is missing`)
  return fitting
}

/** The values of some columns as one text: equal texts are equal values, as no text of the database has a NUL. */
export function tupleId(columns: readonly string[], values: AnyRow): string {
  let id = ''
  for (const [at, column] of columns.entries()) {
    const value = values[column]
    if (typeof value !== 'string' && typeof value !== 'number')
      return JSON.stringify(columns.map((name) => values[name] ?? null))
    id = at === 0 ? `${value}` : `${id}\0${value}`
  }
  return id
}
