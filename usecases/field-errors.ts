/** What is wrong, by the name of the field; the first complaint of each. */
export type FieldErrors = Readonly<Record<string, string>>

type Issues = { readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] }

/** A parse error as words next to fields; nested fields go by their outermost name. */
export function fieldErrors(error: Issues): FieldErrors {
  const found: Record<string, string> = {}
  for (const { path, message } of error.issues) {
    const name = String(path[0] ?? 'form')
    found[name] ??= message
  }
  return found
}
