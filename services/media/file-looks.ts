import { createQueue } from '../queue.ts'
import { type UploadError, unsupported } from './kinds.ts'

/** How many files whoever sends a form may upload. */
export type UploadLimit = {
  /** Why not one more, or null. Counts nothing. */
  wait(): Promise<UploadError | null>
  /** Counts a file that is refused, as an upload that failed is. */
  count(): Promise<void>
}

/** How files of a body are looked at, to find what they are. */
export type FileLooks = {
  /** What `look` finds, or why nobody looks. */
  at<T extends object>(look: () => Promise<T | UploadError>): Promise<T | UploadError>
  /** A file that was of a type that is taken is refused after all. */
  refused(): Promise<void>
}

/** Of a body whose one file was counted before it came. */
export const COUNTED: FileLooks = { at: (look) => look(), refused: async () => undefined }

/** Files of a form that are refused for their type; whoever chose these has learnt what is not taken. */
const MOST_REFUSED = 3

/**
 * Of a form with many files, whoever reads it and whatever becomes of it: each look takes time of the process that serves
 * everybody. One file after another, until there were too many of no type that is taken; the others pass for such.
 */
export function limitedLooks(uploads: UploadLimit): FileLooks {
  const inTurn = createQueue(1)
  let asked: Promise<UploadError | null> | undefined
  let refused = 0
  const next = async <T extends object>(look: () => Promise<T | UploadError>): Promise<T | UploadError> => {
    if (refused === MOST_REFUSED) return unsupported
    asked ??= uploads.wait()
    const wait = await asked
    if (wait) return wait
    const found = await look()
    if ('reason' in found) {
      refused += 1
      await uploads.count()
    }
    return found
  }
  return { at: (look) => inTurn(() => next(look)), refused: uploads.count }
}
