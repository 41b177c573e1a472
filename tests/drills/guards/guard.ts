/** A line that keeps a promise, what the code is without it, and the test that must notice. */
export type Guard = {
  readonly name: string
  readonly file: string
  readonly with: string
  readonly without: string
  readonly test: GuardTest
}

/** `each`: how the file writes the title of a test that runs for several cases, of which `title` is one. */
type GuardTest = { readonly project: string; readonly file: string; readonly title: string; readonly each?: string }
