import { isOfLaterRelease } from '../eventstore/codec.ts'
import type { StoredEvent } from '../eventstore/events.ts'
import { isPushed } from './pushes/all-pushes.ts'
import { changesRights } from './rights/changes.ts'

/** Changes whether a member shows their presence. */
const VISIBILITY_EVENTS = new Set(['VisibilityChanged', 'VisibilityModeChanged'])
/** End sessions, and take a push back. */
const OTHER_EVENTS = new Set(['SessionsRevoked', 'BuzzWithdrawn'])

/** Whether a node does anything at an event: at one that only a later release knows it stops. */
export const isFollowed = (event: Pick<StoredEvent, 'type' | 'stream'>): boolean =>
  isKnown(event.type) || isOfLaterRelease(event)

const isKnown = (type: string): boolean =>
  isPushed(type) || changesRights(type) || VISIBILITY_EVENTS.has(type) || OTHER_EVENTS.has(type)
