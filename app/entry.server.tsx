import { Writable } from 'node:stream'
import type { AppLoadContext, EntryContext, LoaderFunctionArgs } from '@remix-run/node'
import { isRouteErrorResponse, RemixServer } from '@remix-run/react'
import { renderToPipeableStream } from 'react-dom/server'
import './shell/shell.server.ts'
import { NonceContext } from './shell/nonce.tsx'

const RENDER_TIMEOUT_MS = 10_000
export const streamTimeout = RENDER_TIMEOUT_MS - 1_000

/** Renders a document. Its loaders have answered before, so it is sent in one piece, with its length. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  loadContext: AppLoadContext,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let failed = false
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext.Provider value={loadContext.nonce}>
        <RemixServer context={remixContext} url={request.url} nonce={loadContext.nonce} />
      </NonceContext.Provider>,
      {
        nonce: loadContext.nonce,
        onAllReady: () => {
          clearTimeout(timeout)
          pipe(
            gathering((page) => {
              headers.set('Content-Type', 'text/html; charset=utf-8')
              headers.set('Content-Length', String(page.byteLength))
              resolve(new Response(page, { headers, status: failed ? 500 : status }))
            }),
          )
        },
        onShellError: reject,
        onError: (error) => {
          failed = true
          if (!request.signal.aborted) loadContext.reportError(error)
        },
      },
    )
    const timeout = setTimeout(abort, RENDER_TIMEOUT_MS).unref()
  })
}

function gathering(done: (whole: Uint8Array<ArrayBuffer>) => void): Writable {
  const pieces: Uint8Array[] = []
  return new Writable({
    write(piece: Uint8Array, _encoding, next) {
      pieces.push(piece)
      next()
    },
    final(next) {
      done(Buffer.concat(pieces))
      next()
    },
  })
}

/**
 * Failures of loaders, actions and first renders; a member who left is none, nor is a request that the router itself
 * refuses, such as a form sent to a page without one.
 */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs): void {
  const isRefusal = isRouteErrorResponse(error) && error.status < 500
  const isGone = request.signal.aborted || (context.left?.aborted && error === context.left.reason)
  if (!isGone && !isRefusal) context.reportError(error)
}
