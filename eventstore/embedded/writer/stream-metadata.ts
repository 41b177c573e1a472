import { TOMBSTONE } from '../records.ts'

/** What a stream's metadata give up. `deletedBy` are metadata that hide every possible revision, as a delete writes them. */
export type Retention = {
  maxCount?: number
  maxAgeSeconds?: number
  truncateBefore?: number
  deletedBy?: Buffer
}

const INT64_MOST = 2n ** 63n - 1n
/** The longest time that EventStoreDB can count. */
const SECONDS_MOST = 922_337_203_685n

const isWithin = (written: string, most: bigint): boolean => {
  if (!/^-?\d+$/.test(written)) return false
  const value = BigInt(written)
  return value <= most && value >= -most - 1n
}
const isInteger = (written: string): boolean => isWithin(written, INT64_MOST)
const isSeconds = (written: string): boolean => isWithin(written, SECONDS_MOST)

/** How a value of each key that EventStoreDB knows is written. */
const FORMS: Readonly<Record<string, (written: string) => boolean>> = {
  $maxCount: isInteger,
  $tb: isInteger,
  $maxAge: isSeconds,
  $cacheControl: isSeconds,
  $tmp: (written) => written === 'true' || written === 'false',
  $acl: (written) => written === '{',
}
const ROLES = new Set(['$r', '$w', '$d', '$mr', '$mw'])

/** What a delete leaves of the metadata. */
export const DELETED: Buffer = Buffer.from(`{"$tb":${INT64_MOST}}`)

/**
 * Reads metadata as EventStoreDB does: whole numbers alone limit, those of nothing or less do not, one malformed value of a
 * known key voids them all, and what is no JSON object is empty.
 */
export function retentionFrom(metadata: Buffer): Retention {
  const text = metadata.toString('utf8')
  const value = objectIn(text)
  if (!value || !areRoles(value.$acl)) return {}
  const members = membersOf(text)
  if (!members.every(([key, written]) => FORMS[key]?.(written) ?? true)) return {}
  const { $maxCount, $maxAge, $tb } = Object.fromEntries(members)
  return {
    ...(Number($maxCount) > 0 && { maxCount: Number($maxCount) }),
    ...(Number($maxAge) > 0 && { maxAgeSeconds: Number($maxAge) }),
    ...(Number($tb) >= 0 && { truncateBefore: Math.min(Number($tb), TOMBSTONE) }),
    ...($tb !== undefined && BigInt($tb) === INT64_MOST && { deletedBy: metadata }),
  }
}

/** The metadata with only their truncation changed; null where they are no JSON object. */
export function truncatedBefore(metadata: Buffer, revision: number): Buffer | null {
  const value = objectIn(metadata.toString('utf8'))
  return value && Buffer.from(JSON.stringify({ ...value, $tb: revision }))
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** Keys of an object with their values as they are written, since a parsed number no longer shows it; of nested ones the bracket. */
function membersOf(json: string): [key: string, written: string][] {
  const tokens = json.match(TOKEN) ?? []
  const members: [string, string][] = []
  let depth = 0
  for (const [at, token] of tokens.entries()) {
    if (depth === 1 && tokens[at + 1] === ':') members.push([JSON.parse(token), tokens[at + 2]!])
    if (token === '{' || token === '[') depth++
    if (token === '}' || token === ']') depth--
  }
  return members
}

function areRoles(acl: unknown): boolean {
  const areNames = (names: unknown) => [names].flat().every((name) => typeof name === 'string')
  return Object.entries(acl ?? {}).every(([role, names]) => ROLES.has(role) && areNames(names))
}

function objectIn(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json)
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
