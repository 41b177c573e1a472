import { z } from 'zod'

/** What somebody of the team may open beside the product: histories, cases of reports, the workings of read models. */
export const ROLES = ['auditor', 'moderator', 'developer'] as const
export const Role = z.enum(ROLES)
export type Role = z.infer<typeof Role>
