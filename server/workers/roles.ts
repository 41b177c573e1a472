import type { ProcessRole } from '../config.ts'

const SERVING: ReadonlySet<ProcessRole> = new Set(['web', 'realtime'])

/** What workers do of these roles. */
export const servingRoles = (roles: ReadonlySet<ProcessRole>): ReadonlySet<ProcessRole> =>
  new Set([...roles].filter((role) => SERVING.has(role)))

/** What is left to their primary. */
export const otherRoles = (roles: ReadonlySet<ProcessRole>): ReadonlySet<ProcessRole> =>
  new Set([...roles].filter((role) => !SERVING.has(role)))
