/** What JSON can express. */
export type Plain = null | string | number | boolean | readonly Plain[] | { readonly [name: string]: Plain }

/** Any value of the domain as JSON, the same text for the same value: dates as ISO text, sets sorted, fields by name. */
export function plain(value: unknown): Plain {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Set) return [...value].map(plain).sort(byText)
  if (value instanceof Map) return plain(Object.fromEntries(value))
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object') return sortedFields(value)
  return typeof value === 'string' || typeof value === 'boolean' ? value : Number(value)
}

function sortedFields(value: object): Plain {
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([name, one]) => [name, plain(one)]))
}

const byText = (a: Plain, b: Plain) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

export const equal = (a: Plain | undefined, b: Plain | undefined): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Every leaf by its path, such as `readUpTo.<id>`; a list is a leaf. */
export function leaves(tree: Plain, path = ''): Map<string, Plain> {
  const inner = typeof tree === 'object' && tree !== null && !Array.isArray(tree) ? Object.entries(tree) : []
  if (inner.length === 0) return new Map([[path, tree]])
  return new Map(inner.flatMap(([name, one]) => [...leaves(one, path ? `${path}.${name}` : name)]))
}
