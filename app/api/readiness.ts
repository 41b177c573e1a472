import { z } from 'zod'

/** How far something is behind the log; null while it is not known. */
const lag = { events: z.number().nullable(), seconds: z.number().nullable() }
const Part = z.object({
  name: z.string(),
  ...lag,
  /** New tables fill behind those that readers see. */
  filling: z.boolean().optional(),
  /** It is not known yet who feeds what readers see. */
  starting: z.boolean().optional(),
  /** Another process feeds what readers see. */
  following: z.boolean().optional(),
  /** Newer code feeds what readers see. */
  outdated: z.boolean().optional(),
  /** Unavailable on purpose. */
  paused: z.boolean().optional(),
})

/** One role and whether it does its work; `lag` where it follows the log. */
export const RoleState = z.object({
  role: z.string(),
  ready: z.boolean(),
  lag: z.object(lag).readonly().optional(),
  detail: z.array(Part).readonly().optional(),
})

/** That the process answers. */
export const Alive = z.object({ ok: z.literal(true) })
/** Whether every role is ready (api-contract N13). */
export const Readiness = z.object({ ready: z.boolean(), roles: z.array(RoleState).readonly() })
