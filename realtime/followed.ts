import { isPushed } from './pushes/all-pushes.ts'
import { changesRights } from './rights/changes.ts'

/** Changes whether a member shows their presence. */
const VISIBILITY_EVENTS = new Set(['VisibilityChanged', 'VisibilityModeChanged'])
/** End sessions, and take a push back. */
const OTHER_EVENTS = new Set(['SessionsRevoked', 'BuzzWithdrawn'])

/** Whether a node does anything at an event of the type. */
export const isFollowed = (type: string): boolean =>
  isPushed(type) || changesRights(type) || VISIBILITY_EVENTS.has(type) || OTHER_EVENTS.has(type)
