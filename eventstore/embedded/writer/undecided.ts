/** What one write rests on could not be read. Nothing of it was added to the draft, and the storage is not lost. */
export class UndecidedError extends Error {
  override name = 'UndecidedError'
  constructor(error: unknown) {
    super(`The write could not be decided: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Gives its answer, or throws `UndecidedError`. */
export function orUndecided<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error) => {
    throw new UndecidedError(error)
  })
}
