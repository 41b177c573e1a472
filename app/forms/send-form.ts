import { type ClientActionFunctionArgs, isRouteErrorResponse } from '@remix-run/react'
import { UNANSWERED_WORDS, type UnansweredWords, unansweredReply } from '../words/unanswered.ts'

/**
 * How a page's script sends its forms: `export const clientAction = sendForm()`. A form that gets no answer, or one that
 * nobody can read, is answered here, so that the page keeps what was typed. It may have been done all the same: sent again,
 * it is the same command. What a page answers with its error boundary stays that.
 */
export const sendForm =
  ({ words = UNANSWERED_WORDS, byIntent }: SendOptions = {}) =>
  async ({ request, serverAction }: ClientActionFunctionArgs) => {
    const copy = byIntent && request.clone()
    try {
      return await serverAction()
    } catch (error) {
      const intent = String(new URLSearchParams(await copy?.text()).get('intent'))
      const sentence = sentenceFor(error, byIntent?.[intent] ?? words)
      if (sentence === null) throw error
      const reply = unansweredReply(sentence)
      // Of this status nothing is read again, which would fail as well and take the page away.
      return Response.json(reply, { status: reply.status })
    }
  }

type SendOptions = { readonly words?: UnansweredWords; readonly byIntent?: Readonly<Record<string, UnansweredWords>> }

/** Null for redirects, for pages that refuse, and for a navigation that was left. */
function sentenceFor(error: unknown, words: UnansweredWords): string | null {
  if (error instanceof Response || (error instanceof DOMException && error.name === 'AbortError')) return null
  if (isRouteErrorResponse(error)) return error.status >= 500 ? words.failed : null
  return error instanceof TypeError ? words.network : words.unreadable
}
