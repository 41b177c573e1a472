import type { BrowserContext, Response } from 'playwright'
import { holdAnswer, isDescribed, isRead } from './hold.ts'

/** A body that does not end is not waited for any longer. */
const BODY_MS = 2_000

/** Checks each answer that a browser's pages get against `/openapi.json`. Call what it returns before the pages close. */
export function holdPages(context: BrowserContext): () => Promise<void> {
  const looks: Promise<void>[] = []
  context.on('response', (response) => {
    if (isDescribed(response.url())) looks.push(look(response).catch(() => undefined))
  })
  return async () => void (await Promise.all(looks))
}

async function look(response: Response): Promise<void> {
  // What a test answers in the product's place comes from no server.
  if ((await response.serverAddr()) === null) return
  const pairs = (await response.headersArray()).map(({ name, value }): [string, string] => [name, value])
  const headers = new Headers(pairs)
  // The browser's own copy, with the headers of the 304 that let it: how a copy is checked is for tests that see the 304.
  if (response.ok() && !headers.has('Content-Type')) return
  await holdAnswer({
    url: response.url(),
    method: response.request().method(),
    status: response.status(),
    headers,
    text: isRead(headers) ? await bodyOf(response) : null,
  })
}

/** Null where the page has left, and its answer with it. */
async function bodyOf(response: Response): Promise<string | null> {
  const late = AbortSignal.timeout(BODY_MS)
  const none = new Promise<null>((resolve) => late.addEventListener('abort', () => resolve(null)))
  return Promise.race([response.text().catch(() => null), none])
}
