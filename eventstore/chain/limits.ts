/** What a stream's metadata let a scavenge take. */
export type Limits = { readonly before?: number; readonly count?: number; readonly seconds?: number }

const INT64_MOST = 2n ** 63n - 1n
/** The longest time that EventStoreDB can count. */
const SECONDS_MOST = 922_337_203_685n

const isWithin = (written: string, most: bigint): boolean => {
  if (!/^-?\d+$/.test(written)) return false
  const value = BigInt(written)
  return value <= most && value >= -most - 1n
}

/** How a value of each key that the log knows is written. */
const FORMS: Readonly<Record<string, (written: string) => boolean>> = {
  $maxCount: (written) => isWithin(written, INT64_MOST),
  $tb: (written) => isWithin(written, INT64_MOST),
  $maxAge: (written) => isWithin(written, SECONDS_MOST),
  $cacheControl: (written) => isWithin(written, SECONDS_MOST),
  $tmp: (written) => written === 'true' || written === 'false',
  $acl: (written) => written === '{',
}
const ROLES = new Set(['$r', '$w', '$d', '$mr', '$mw'])
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** As the log itself reads metadata: what limits nothing there explains nothing here. */
export function limitsOf(metadata: Buffer | null): Limits {
  const text = metadata?.toString('utf8') ?? ''
  const acl = aclOf(text)
  if (acl === null || !areRoles(acl)) return {}
  const members = membersOf(text)
  if (!members.every(([key, written]) => FORMS[key]?.(written) ?? true)) return {}
  const { $tb, $maxCount, $maxAge } = Object.fromEntries(members)
  return {
    ...(Number($tb) >= 0 && { before: Number($tb) }),
    ...(Number($maxCount) > 0 && { count: Number($maxCount) }),
    ...(Number($maxAge) > 0 && { seconds: Number($maxAge) }),
  }
}

/** The roles of a JSON object, null for what is none. */
function aclOf(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json)
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value)
    return isObject ? ((value as { $acl?: unknown }).$acl ?? {}) : null
  } catch {
    return null
  }
}

function areRoles(acl: unknown): boolean {
  const areNames = (names: unknown) => [names].flat().every((name) => typeof name === 'string')
  return Object.entries(acl ?? {}).every(([role, names]) => ROLES.has(role) && areNames(names))
}

/** Keys of an object with their values as they are written, since a parsed number no longer shows it; of nested ones the bracket. */
function membersOf(json: string): [key: string, written: string][] {
  const tokens = json.match(TOKEN) ?? []
  const members: [string, string][] = []
  let depth = 0
  for (const [at, token] of tokens.entries()) {
    if (depth === 1 && tokens[at + 1] === ':') members.push([JSON.parse(token), tokens[at + 2] ?? ''])
    if (token === '{' || token === '[') depth++
    if (token === '}' || token === ']') depth--
  }
  return members
}
