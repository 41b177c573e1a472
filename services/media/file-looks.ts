import { createQueue } from '../queue.ts'
import { type UploadError, unsupported } from './kinds.ts'

/** How many files whoever sends a form may upload. */
export type UploadLimit = {
  /** Counts one more, or answers why it may not come. */
  take(): Promise<UploadError | null>
  /** Of one that nobody had time or room for. */
  giveBack(): Promise<void>
}

/** How files of a body are looked at, to find what they are. */
export type FileLooks = {
  /** What `look` finds, or why nobody looks. */
  at<T extends object>(look: () => Promise<T | UploadError>): Promise<T | UploadError>
  /** There is no room for a file that was looked at. */
  noRoom(): Promise<void>
}

/** Of a body whose one file was counted before it came. */
export const COUNTED: FileLooks = { at: (look) => look(), noRoom: async () => undefined }

/** Files of a form that are refused for their type; whoever chose these has learnt what is not taken. */
const MOST_REFUSED = 3

/**
 * Of a form with many files, whoever reads it and whatever becomes of it: each look takes time of the process that serves
 * everybody, and what is kept is written, so that each counts as an upload before. One file after another, until there were
 * too many of no type that is taken; the others pass for such.
 */
export function limitedLooks(uploads: UploadLimit): FileLooks {
  const inTurn = createQueue(1)
  let wait: UploadError | null = null
  let refused = 0
  const next = async <T extends object>(look: () => Promise<T | UploadError>): Promise<T | UploadError> => {
    if (refused === MOST_REFUSED) return unsupported
    wait ??= await uploads.take()
    if (wait) return wait
    const found = await look()
    if ('reason' in found) refused += 1
    return found
  }
  return { at: (look) => inTurn(() => next(look)), noRoom: uploads.giveBack }
}
