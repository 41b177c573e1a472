import { z } from 'zod'
import { JobId, type Kinds } from '../../../services/jobs/kinds.ts'

/** Toys in place of what the product does later. */
export const KINDS = { count: z.strictObject({ row: JobId }), sweep: z.strictObject({}) } as const satisfies Kinds
