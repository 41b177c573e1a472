import fc from 'fast-check'

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

/** True so many times in a hundred. */
export const chance = (percent: number): fc.Arbitrary<boolean> =>
  fc.oneof({ weight: percent, arbitrary: fc.constant(true) }, { weight: 100 - percent, arbitrary: fc.constant(false) })

/** The first so many times in a hundred, else the second. */
export const mostly = <A, B>(percent: number, first: fc.Arbitrary<A>, second: fc.Arbitrary<B>): fc.Arbitrary<A | B> =>
  fc.oneof({ weight: percent, arbitrary: first }, { weight: 100 - percent, arbitrary: second })

export const hostile: fc.Arbitrary<unknown> = mostly(
  75,
  fc.constantFrom(...HOSTILE),
  fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary', maxLength: 60 })),
)
/** The same as text, for addresses and forms; short, because a server may end a longer address unread. */
export const hostileText: fc.Arbitrary<string> = hostile.map((value) =>
  (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 1_000),
)

/** Often a value that fits the schema, sometimes one at its edge, sometimes one that must be refused. `ids`: of what is there. */
export const valueFor = (schema: JsonSchema, ids: readonly string[]): fc.Arbitrary<unknown> =>
  mostly(80, fitting(schema, ids), hostile)

function fitting(schema: JsonSchema, ids: readonly string[]): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valueFor(one, ids)))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  const { minimum = 0, maximum = 100 } = schema
  switch (schema.type) {
    case 'object':
      return objectFor(schema, ids)
    case 'array':
      if (schema.prefixItems) return fc.tuple(...schema.prefixItems.map((item) => valueFor(item, ids)))
      return fc.array(valueFor(schema.items ?? {}, ids), { maxLength: 3 })
    case 'number':
    case 'integer':
      return mostly(80, fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1, 20, 0.5), fc.double())
    case 'boolean':
      return fc.boolean()
    default:
      return textFor(schema, ids)
  }
}

const WORDS = ['Hello', 'Ann', 'ann@example.com', '123456', 'like:tea', 'message-1', '2000-02-29', 'Europe/Vienna']

const textFor = ({ pattern = '' }: JsonSchema, ids: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...(pattern.includes('{20,32}') ? [] : WORDS), ...ids)

/** Now and then without a field that it needs, or with one that it does not know. */
function objectFor({ properties = {}, required = [] }: JsonSchema, ids: readonly string[]) {
  const entries = Object.entries(properties).map(([key, value]) =>
    fc.tuple(chance(required.includes(key) ? 95 : 50), fc.constant(key), valueFor(value, ids)),
  )
  const extra = fc.tuple(chance(20), fc.constantFrom('__proto__', 'isAdmin', 'from', '$where', ''), hostile)
  return fc
    .tuple(...entries, extra)
    .map((all) => Object.fromEntries(all.flatMap(([is, key, value]) => (is ? [[key, value] as const] : []))))
}
