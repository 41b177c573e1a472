import { type ClientActionFunctionArgs, isRouteErrorResponse } from '@remix-run/react'
import { EVERYWHERE_UNANSWERED, UNANSWERED_WORDS, type UnansweredWords, unansweredReply } from '../words/unanswered.ts'
import { unavailableIn } from '../words/unavailable.ts'
import { type Settled, settle } from './settled.ts'

/**
 * How a page's script sends its forms: `export const clientAction = sendForm()`. A form that gets no answer, one that
 * nobody can read, or one without words of its page, is answered here, so that the page keeps what was typed. It may have
 * been done all the same: sent again, it is the same command.
 */
export const sendForm =
  ({ words = UNANSWERED_WORDS, byIntent = EVERYWHERE_UNANSWERED }: SendOptions = {}) =>
  async ({ request, serverAction }: ClientActionFunctionArgs) => {
    // A body with files would be kept a second time.
    const copy = request.headers.get('Content-Type')?.startsWith('multipart') ? null : request.clone()
    const path = new URL(request.url).pathname
    const end = async (how: Settled['how'], more?: Pick<Settled, 'error' | 'to'> | null) =>
      settle({ how, path, body: copy && (await copy.text()), ...more })
    try {
      const reply = await serverAction()
      const unavailable = unavailableIn(reply)
      await end(unavailable ? 'failed' : isRefused(reply) ? 'refused' : 'done', unavailable)
      return reply
    } catch (error) {
      if (error instanceof Response) {
        await end('done', { to: error.headers.get('Location') })
        throw error
      }
      const sent = new URLSearchParams(await copy?.clone().text())
      // The wizard's buttons are called so.
      const intent = sent.get('intent') ?? sent.get('go')
      const failure = failureOf(error, byIntent[String(intent)] ?? words)
      if (failure === null) throw error
      await end('failed', failure)
      // Of this status nothing is read again, which would fail as well and take the page away.
      return Response.json(unansweredReply(failure.error), { status: failure.status })
    }
  }

type SendOptions = { readonly words?: UnansweredWords; readonly byIntent?: Readonly<Record<string, UnansweredWords>> }

const isRefused = (reply: unknown) => Number((reply as { status?: unknown } | null)?.status) >= 400

/** Null for a navigation that was left. */
function failureOf(error: unknown, words: UnansweredWords): { error: string; status: number } | null {
  if (error instanceof DOMException && error.name === 'AbortError') return null
  if (!isRouteErrorResponse(error))
    return { error: error instanceof TypeError ? words.network : words.unreadable, status: 503 }
  const { status, data } = error
  return { error: status >= 500 ? words.failed : refusalWords(status, data), status }
}

/** Uploads and texts that are too large are refused in words of ours. */
function refusalWords(status: number, sent: unknown): string {
  if (status === 403) return 'This is not available to you.'
  if (status === 404) return 'This is no longer here.'
  return typeof sent === 'string' && sent.length > 0 && sent.length < 200 ? sent : UNANSWERED_WORDS.unreadable
}
