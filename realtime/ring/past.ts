import type { Position } from '../../domain/shared/recorded.ts'
import type { FollowerDeps } from '../deps.ts'
import { Follower } from '../follower.ts'
import type { Past } from './backfill.ts'

const nothing = () => undefined
const NOBODY: FollowerDeps['hub'] = { deliver: nothing, signOut: nothing, reload: nothing }

/** What a node would know that followed the log from one position to another while nobody was at it, whom it would send nothing. */
export async function readPast(
  deps: FollowerDeps,
  after: Position,
  upTo: Position,
  signal: AbortSignal,
): Promise<Past> {
  // A past that only a later release can read is one that cannot be read: the node itself knows what it needs.
  const silent = { hub: NOBODY, visibilityChanged: nothing, matched: nothing, outdated: nothing }
  const past = new Follower({ ...deps, ...silent })
  const stop = () => void past.stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    await past.follow(after, upTo)
    signal.throwIfAborted()
    return past
  } finally {
    signal.removeEventListener('abort', stop)
    await past.stop()
  }
}
