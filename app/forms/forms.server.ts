const COMMAND_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** One text field; empty when it is missing or a file. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** The id that the loader gave the form, so that a second submit is the same command; a new one for a form without. */
export function commandIdOf(form: FormData): string {
  const sent = textOf(form, 'commandId')
  return COMMAND_ID.test(sent) ? sent : crypto.randomUUID()
}
