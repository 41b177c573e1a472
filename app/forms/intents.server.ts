import { replyWith } from './form.server.ts'
import type { FormReply } from './reply.ts'

/** What a page can do, by the name of the button that was pressed. Each part reads the form by a schema of its own. */
export type Intents<A, R extends FormReply> = Readonly<Record<string, (acting: A, form: FormData) => Promise<R>>>

/** Does what the form's `intent` names. */
export function actByIntent<A, R extends FormReply>(
  acting: A,
  form: FormData,
  intents: Intents<A, R>,
): Promise<R | FormReply<never>> {
  const intent = String(form.get('intent'))
  const act = Object.hasOwn(intents, intent) ? intents[intent] : undefined
  if (!act) return Promise.resolve(replyWith<never>(form, 400, { '': 'Invalid request.' }))
  return act(acting, form)
}
