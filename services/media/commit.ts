import type { AppDb } from '../app-db.ts'

/** The answer to a COMMIT was lost: its rows may be there, or may yet come. */
export class CommitUnknown extends Error {
  override name = 'CommitUnknown'
}

/** A transaction that throws `CommitUnknown` where it may have been made, and any other error only where it was not. */
export async function committed<T>(db: AppDb, work: (tx: AppDb) => Promise<T>): Promise<T> {
  let isAsked = false
  try {
    return await db.transaction().execute(async (tx) => {
      const result = await work(tx)
      isAsked = true
      return result
    })
  } catch (error) {
    if (!isAsked) throw error
    throw new CommitUnknown('The answer to a commit was lost.', { cause: error })
  }
}
