import { ownPath } from '../../app/request/return-to.ts'
import { COME_BACK_ELSEWHERE, DEACTIVATED, SIGN_IN, SIGN_IN_ELSEWHERE } from '../../app/words/auth-words.ts'
import { failureWords } from '../../app/words/failure-words.server.ts'
import { FORM_TOO_LARGE } from '../../app/words/file-sizes.ts'
import { FAR_TOO_LONG } from '../../app/words/too-long.ts'
import { AWAY, retryAfter, STARTING_WORDS, type Unavailable, unavailableReply } from '../../app/words/unavailable.ts'
import type { Client } from './client.ts'
import { elsewhereHtml, formHtml, type KeptForm, refusedFormHtml } from './kept/kept-form.ts'
import { isApi } from './origin-guard.ts'

const PAGE_STYLE =
  'html{color-scheme:light dark;background:light-dark(#fbfaf7,#17131f);color:light-dark(#2a2433,#f3f1ec)}' +
  'body{font:17px/1.5 system-ui,sans-serif;max-width:34rem;margin:18vh auto 0;padding:0 1.5rem}' +
  'h1{font-size:1.75rem;margin:0 0 .5rem}' +
  'a{display:inline-block;padding:.6em 0;color:inherit;text-decoration-color:#e8a92f;text-decoration-thickness:2px}' +
  'textarea{display:block;width:100%;min-height:6rem;margin:.25rem 0;font:inherit}textarea[hidden]{display:none}' +
  'button{display:block;min-height:2.75rem;margin-top:1rem;padding:0 1.25rem;font:inherit;font-weight:600;' +
  'border:0;border-radius:12px;background:#f2b01f;color:#2a2433;cursor:pointer}'

/** JSON under `/api`, a small page elsewhere: it needs nothing that could be missing when it is shown. */
export function failure(
  status: number,
  pathname: string,
  client: Client,
  headers: Record<string, string> = {},
): Response {
  const words = failureWords(status)
  const trace = status === 500 ? { requestId: client.requestId } : undefined
  if (isApi(pathname)) return Response.json({ error: words, ...trace }, { status, headers })
  return page(words, '<p>Nothing was changed. <a href="/">Back to LetsBuzz</a></p>', { status, headers, client })
}

/** For a page's form with more text than is read. */
export function tooLongPage(client: Client): Response {
  const text = `<p>Nothing was changed. ${FAR_TOO_LONG.text}</p>`
  return page(FAR_TOO_LONG.title, text, { status: 413, headers: {}, client })
}

/** For a page's form that was cut off with its files. */
export function tooLargePage(client: Client): Response {
  const text = `<p>Nothing was changed. ${FORM_TOO_LARGE.text}</p>`
  return page(FORM_TOO_LARGE.title, text, { status: 413, headers: {}, client })
}

/** The same for what may work in a moment, with what was typed. */
export function unavailablePage(
  unavailable: Unavailable,
  pathname: string,
  client: Client,
  form: KeptForm | null = null,
): Response {
  const { status, retryInMs, error } = unavailableReply(unavailable)
  const headers = { 'Retry-After': retryAfter(retryInMs) }
  // A call has the wait as a number, and one sentence for each status.
  if (isApi(pathname)) return Response.json({ error: failureWords(status), retryInMs }, { status, headers })
  const again = form ? formHtml(form) : '<p><a href="">Try again</a>, or go <a href="/">back to LetsBuzz</a></p>'
  return page(error, again, { status, headers, client })
}

/** A form whose page has no words for what came of it, without script: what was typed is here. */
export function keptFormPage(status: number, client: Client, form: KeptForm): Response {
  const html = status >= 500 ? formHtml(form) : refusedFormHtml(form)
  return page(failureWords(status), `<p>Nothing was changed.</p>${html}`, { status, headers: {}, client })
}

/** For a form whose page is another's, where whoever has the browser by now has no such page: it leads to the one they have. */
export function othersPage(words: string, to: string | null, client: Client): Response {
  const href = ownPath(to).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return page(words, `<p><a href="${href}">Go on</a></p>`, { status: 409, headers: {}, client })
}

/** A form whose session is over, with more than is carried through the login. */
export function signInPage(client: Pick<Client, 'nonce'>, form: KeptForm, login: string): Response {
  return page(SIGN_IN, elsewhereHtml(form, login, SIGN_IN_ELSEWHERE), { status: 401, headers: {}, client })
}

/** The same for one whose account is deactivated. */
export function comeBackPage(client: Pick<Client, 'nonce'>, form: KeptForm, account: string): Response {
  return page(DEACTIVATED, elsewhereHtml(form, account, COME_BACK_ELSEWHERE), { status: 403, headers: {}, client })
}

/**
 * Until the product is there. A page asks again by itself; what a form sent is not done, and the browser's way back may
 * still have it.
 */
export function startingPage(method: string, pathname: string, client: Client): Response {
  const { status, retryInMs } = AWAY
  const headers = { 'Retry-After': retryAfter(retryInMs) }
  if (isApi(pathname)) return Response.json({ error: STARTING_WORDS, retryInMs }, { status, headers })
  if (method !== 'GET' && method !== 'HEAD') {
    return page(STARTING_WORDS, '<p>Nothing was changed. Go back and send it again.</p>', { status, headers, client })
  }
  const again = `<meta http-equiv="refresh" content="${retryAfter(retryInMs)}">
<p>This page loads itself again. <a href="">Load it now</a></p>`
  return page(STARTING_WORDS, again, { status, headers, client })
}

type Page = { status: number; headers: Record<string, string>; client: Pick<Client, 'nonce'> }

function page(words: string, more: string, { status, headers, client }: Page): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${words} · LetsBuzz</title><style nonce="${client.nonce}">${PAGE_STYLE}</style>
<main><h1>${words}</h1>${more}</main></html>`
  return new Response(html, { status, headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers } })
}

/** An error under `/api` is always JSON, also when the router made it. */
export async function jsonUnderApi(response: Response, pathname: string): Promise<Response> {
  if (response.status < 400 || !isApi(pathname)) return response
  if (response.headers.get('Content-Type')?.includes('application/json')) return response
  await response.body?.cancel()
  const headers = new Headers(response.headers)
  for (const name of ['Content-Type', 'Content-Length', 'X-Remix-Response']) headers.delete(name)
  return Response.json({ error: failureWords(response.status) }, { status: response.status, headers })
}
