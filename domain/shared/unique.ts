import type { z } from 'zod'

/** A list that refuses what stands in it twice, by `keyOf`; its JSON Schema has `uniqueItems`, which compares whole items. */
export const unique = <T extends z.ZodType<readonly string[]>>(
  list: T,
  { keyOf = (item) => item, message }: { keyOf?: (item: string) => string; message?: string } = {},
) => list.refine((items) => new Set(items.map(keyOf)).size === items.length, message).meta({ uniqueItems: true })
