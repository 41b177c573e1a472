import { PassThrough } from 'node:stream'
import {
  type AppLoadContext,
  createReadableStreamFromReadable,
  type EntryContext,
  type LoaderFunctionArgs,
} from '@remix-run/node'
import { RemixServer } from '@remix-run/react'
import { isbot } from 'isbot'
import { renderToPipeableStream } from 'react-dom/server'
import './lib/shell/shell.server.ts'
import { NonceContext } from './lib/shell/nonce.tsx'

const RENDER_TIMEOUT_MS = 10_000
export const streamTimeout = RENDER_TIMEOUT_MS - 1_000

/** Renders a document. Robots wait for the whole page, members get the shell as soon as it stands. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  loadContext: AppLoadContext,
): Promise<Response> {
  const whole = isbot(request.headers.get('User-Agent'))
  return new Promise((resolve, reject) => {
    let failed = false
    let started = false
    const answer = () => {
      started = true
      const body = new PassThrough()
      headers.set('Content-Type', 'text/html; charset=utf-8')
      resolve(new Response(createReadableStreamFromReadable(body), { headers, status: failed ? 500 : status }))
      pipe(body)
    }
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext.Provider value={loadContext.nonce}>
        <RemixServer context={remixContext} url={request.url} nonce={loadContext.nonce} />
      </NonceContext.Provider>,
      {
        nonce: loadContext.nonce,
        onShellReady: () => !whole && answer(),
        onAllReady: () => whole && answer(),
        onShellError: reject,
        onError: (error) => {
          failed = true
          if (started && !request.signal.aborted) loadContext.reportError(error)
        },
      },
    )
    setTimeout(abort, RENDER_TIMEOUT_MS).unref()
  })
}

/** Failures of loaders, actions and first renders; a member who left is none. */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs): void {
  if (!request.signal.aborted) context.reportError(error)
}
