/** A source of numbers from 0 to 1 that a seed repeats. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** What nobody means well with, of every type. */
const HOSTILE: readonly unknown[] = [
  ...[
    '',
    ' ',
    'a\u0000b',
    '\ud800',
    '\u202e',
    '👩‍👩‍👧‍👦',
    '%00',
    '../../etc/passwd',
    "' or 1=1 --",
    '#{7*7}',
    '<script>',
    '\n',
    '-0',
  ],
  ...[
    'null',
    'true',
    '[]',
    '__proto__',
    'constructor',
    'x'.repeat(5_000),
    'é'.repeat(3_000),
    '/media/x',
    'javascript:1',
  ],
  ...[0, -1, 1, 1.5, 1e308, -1e308, 2 ** 53, 91, 181, null, true, false, [], {}, [[]], [null], { $gt: '' }],
  ...[{ length: 1e9 }, { toString: 1 }, Array.from({ length: 100 }, (_, n) => n), { a: { a: { a: {} } } }],
]

export type JsonSchema = {
  type?: string
  enum?: unknown[]
  const?: unknown
  pattern?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  anyOf?: JsonSchema[]
  minimum?: number
  maximum?: number
  $ref?: string
}

export type Source = { random: () => number; ids: readonly string[] }

export function pick<T>({ random }: Pick<Source, 'random'>, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T
}

export const hostile = (source: Source) => pick(source, HOSTILE)
/** The same as text, for addresses and forms; short, because a server may end a longer address unread. */
export const hostileText = (source: Source) => {
  const value = hostile(source)
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 1_000)
}

/** Often a value that fits the schema, sometimes one at its edge, sometimes one that must be refused. */
export function valueFor(schema: JsonSchema, source: Source, depth = 0): unknown {
  if (source.random() < 0.2 || depth > 4) return hostile(source)
  if (schema.anyOf) return valueFor(pick(source, schema.anyOf), source, depth + 1)
  if (schema.enum) return pick(source, schema.enum)
  if (schema.const !== undefined) return schema.const
  switch (schema.type) {
    case 'object':
      return objectFor(schema, source, depth)
    case 'array': {
      const items =
        schema.prefixItems ?? Array.from({ length: Math.floor(source.random() * 4) }, () => schema.items ?? {})
      return items.map((item) => valueFor(item, source, depth + 1))
    }
    case 'number':
    case 'integer': {
      const edges = [schema.minimum ?? 0, schema.maximum ?? 100, (schema.minimum ?? 0) - 1, (schema.maximum ?? 100) + 1]
      return pick(source, [...edges, 20, 0.5])
    }
    case 'boolean':
      return source.random() < 0.5
    default:
      return textFor(schema, source)
  }
}

function textFor({ pattern = '' }: JsonSchema, source: Source): string {
  if (pattern.includes('{20,32}')) return pick(source, source.ids)
  const words = ['Hello', 'Ann', 'ann@example.com', '123456', 'like:tea', 'message-1', '2000-02-29', 'Europe/Vienna']
  return pick(source, [...words, ...source.ids])
}

function objectFor(schema: JsonSchema, source: Source, depth: number): Record<string, unknown> {
  const entries = Object.entries(schema.properties ?? {})
    .filter(([key]) => source.random() < (schema.required?.includes(key) ? 0.95 : 0.5))
    .map(([key, value]) => [key, valueFor(value, source, depth + 1)] as const)
  const extra =
    source.random() < 0.2
      ? [[pick(source, ['__proto__', 'isAdmin', 'from', '$where', '']), hostile(source)] as const]
      : []
  return Object.fromEntries([...entries, ...extra])
}
