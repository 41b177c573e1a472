import { z } from 'zod'

type Fields = z.ZodObject<z.ZodRawShape>
/** The stored form of one released version, without its type. */
export type Versions = readonly [Fields, ...Fields[]]
export type Upcaster = (previous: Record<string, unknown>) => Record<string, unknown>

type Latest<V extends Versions> = V extends readonly [...infer _, infer L extends Fields] ? L : V[0]

/**
 * An event of the log and every version of it that was ever released. Versions are counted from 1; `upcasters[i]`
 * turns version i+1 into i+2. The names and fields are the storage format: add a version, never change one.
 */
export interface EventDefinition<T extends string = string, V extends Versions = Versions> {
  readonly type: T
  readonly versions: V
  readonly upcasters: readonly Upcaster[]
  readonly latest: Latest<V>
  /** The version that is written: the latest, or in the first of two releases the one before it. */
  readonly writes: number
}

/** The decoded event: its type and the fields of its latest version. */
export type EventOf<D extends EventDefinition> =
  D extends EventDefinition<infer T, infer V> ? { readonly type: T } & Readonly<z.infer<Latest<V>>> : never

/** `writes`: a version before the latest, until no process is left that could not read that one. */
export function defineEvent<const T extends string, const V extends Versions>(
  type: T,
  versions: V,
  upcasters: readonly Upcaster[] = [],
  { writes = versions.length }: { readonly writes?: number } = {},
): EventDefinition<T, V> {
  if (upcasters.length !== versions.length - 1) throw new Error(`${type} needs ${versions.length - 1} upcasters`)
  if (!versions[writes - 1]) throw new Error(`${type} has no version ${writes}`)
  return { type, versions, upcasters, latest: versions[versions.length - 1] as Latest<V>, writes }
}

/** When it happened, by the server's clock; stored as ISO text. */
export const at = z.coerce.date()
