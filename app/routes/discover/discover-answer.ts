import type { MemberId } from '../../../domain/shared/ids.ts'
import type { Worded } from '../../words/words.ts'

/** What an action of the Discover page came to. */
export type DiscoverAnswer =
  | { ok: true; did: 'buzz' | 'skip' | 'undo' | 'place' | 'vibe'; matched?: boolean; with?: MemberId }
  | (Worded & { field?: 'place' | 'vibe'; towns?: readonly { name: string; value: string }[] })
