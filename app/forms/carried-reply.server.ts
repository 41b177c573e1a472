import { NOT_SENT } from '../words/unanswered.ts'
import { replyWith } from './form.server.ts'
import type { FormReply } from './reply.ts'

/**
 * The reply to a form that was carried through the login, for its page to show: it names its form by the section or the
 * intent, whichever the form has, and counts as not even tried.
 */
export function carriedReply(fields: readonly (readonly [string, string])[]): FormReply<never> {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  const name = form.get('section') ?? form.get('intent')
  return replyWith(form, 401, { '': NOT_SENT }, { unavailable: true, ...(typeof name === 'string' && { form: name }) })
}
